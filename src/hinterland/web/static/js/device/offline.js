/** Registers the service worker: the browser can install the arena and show an offline page. */

import { urlOf } from "../base/place.js";

export function prepareOffline() {
  // A browser that forbids it shows its own page instead.
  navigator.serviceWorker?.register(urlOf("/service-worker.js")).catch(() => null);
}
