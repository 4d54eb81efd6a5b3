/** Registers the service worker: the browser can install the arena and show an offline page. */

import { urlOf } from "../base/place.js";

export function prepareOffline() {
  // Without a service worker the browser shows its own page when it is offline.
  navigator.serviceWorker?.register(urlOf("/service-worker.js")).catch(() => null);
}
