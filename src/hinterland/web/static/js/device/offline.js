/** Lets a browser install the arena, and show a page of ours where the server cannot be reached. */

import { urlOf } from "../base/place.js";

export function prepareOffline() {
  // A browser that forbids it shows its own page instead.
  navigator.serviceWorker?.register(urlOf("/service-worker.js")).catch(() => null);
}
