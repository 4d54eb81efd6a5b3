// Plays as the courses' clients do: what one packet brings is one message. Ends when the connection does.

import { connect } from "node:net";

const [host, port, size, spacing, manner, nap] = process.argv.slice(2);
const socket = connect(Number(port), host);
const end = manner === "bare" ? "" : "\n";
const rows = manner === "forgetful" ? Math.floor(Number(size) / 4) : Number(size);
let state = 1;
const any = () => (state = (state * 48271) % 2147483647) % Number(size);
let first = null;
let taken = [];
let left = 0;

function freeCell() {
  while (true) {
    const [row, col] = [any() % rows, any()];
    if (taken.every(([r, c]) => (row - r) ** 2 + (col - c) ** 2 >= Number(spacing) ** 2)) return [row, col];
  }
}

socket.on("data", (packet) => {
  const numbers = String(packet).trim().split(/\s+/).map(Number);
  if (!first) {
    first = numbers;
    state = 1000 * numbers.at(-1);
    socket.write(`old ${manner}${end}`);
  }
  const [players, stones] = first;
  const isWeighted = first.length === 4;
  if (numbers !== first && numbers[0] === 1 && manner === "once") {
    setTimeout(() => socket.destroy(), 1000 * Number(nap)); // as in October 2017, before a match had several games
    return;
  }
  if (numbers === first || numbers[0] === 1) {
    taken = [];
    left = stones;
    return;
  }
  const width = isWeighted ? 4 : 3;
  for (let at = width - 2 + players; at + width <= numbers.length; at += width) taken.push(numbers.slice(at, at + 2));
  const cell = freeCell();
  if (manner !== "forgetful") taken.push(cell);
  const weight = isWeighted ? [manner === "zero" ? 0 : 1] : [];
  const more = manner === "extra" ? [first.at(-1), "moves"] : [];
  socket.write([...cell, ...weight, ...more].join(" ") + end);
  left -= 1;
  if (left === 0 && manner === "slow") {
    socket.pause();
    setTimeout(() => socket.resume(), 1000 * Number(nap));
  }
});
