// The little of Node that the sample uses, so that its types can be checked without installing anything.

interface Incoming {
    setEncoding(encoding: "utf8"): void;
    on(event: "data", listener: (text: string) => void): void;
    on(event: "error", listener: (error: Error & { code?: string }) => void): void;
}

interface Outgoing {
    write(text: string): boolean;
    on(event: "error", listener: (error: Error & { code?: string }) => void): void;
}

declare const process: {
    argv: string[];
    stdin: Incoming;
    stdout: Outgoing;
    exit(code: number): never;
};

declare const console: { error(...words: unknown[]): void };

declare module "node:net" {
    function connect(port: number, host: string): Incoming & Outgoing;
}
