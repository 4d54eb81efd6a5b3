/** Keeps the screen on while somebody plays. */

/** @type {WakeLockSentinel | null} */
let lock = null;
let isWanted = false;

/** @param {boolean} isPlaying */
export function keepAwake(isPlaying) {
  if (isPlaying === isWanted) return;
  isWanted = isPlaying;
  hold();
}

/** A hidden page loses the lock, and asks again. */
async function hold() {
  if (!isWanted || document.hidden) {
    await lock?.release();
    lock = null;
  } else if (!lock || lock.released) {
    // If a device does not support this, nothing is lost.
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}

document.addEventListener("visibilitychange", hold);
