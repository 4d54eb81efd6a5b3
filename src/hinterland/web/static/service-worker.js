/** Answers with a page kept here where the server cannot be reached. Everything else goes its way: this worker keeps no game. */
const KEPT = "hinterland-offline-1";
const OFFLINE = new URL("offline", self.location.href).href;
const CHOICE = new URL("language/", self.location.href).pathname;

/** Keep the page as it is now, in the language of this browser. */
const renew = () => caches.open(KEPT).then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" })));

self.addEventListener("install", (event) => {
  event.waitUntil(renew().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const answer = fetch(event.request);
  event.respondWith(answer.catch(async () => (await caches.match(OFFLINE)) ?? Response.error()));
  if (new URL(event.request.url).pathname.startsWith(CHOICE)) event.waitUntil(answer.then(renew, () => null));
});
