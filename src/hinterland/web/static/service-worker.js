/** If the server cannot be reached, answers with a page kept in the browser. All other requests go to the server: this worker keeps no games. */
const KEPT = "hinterland-offline-1";
const OFFLINE = new URL("offline", self.location.href).href;
const CHOICE = new URL("language/", self.location.href).pathname;

/** Fetch the offline page in the language chosen in this browser, and keep it. */
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
