/** The screen stays on while somebody plays. */

/** @type {WakeLockSentinel | null} */
let lock = null;
let isWanted = false;

/** @param {boolean} isPlaying */
export function keepAwake(isPlaying) {
  if (isPlaying === isWanted) return;
  isWanted = isPlaying;
  hold();
}

/** A page that is not looked at loses it, and asks again. */
async function hold() {
  if (!isWanted || document.hidden) {
    await lock?.release();
    lock = null;
  } else if (!lock || lock.released) {
    // Where a device does not do this, or not now, nothing is lost.
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}

document.addEventListener("visibilitychange", hold);
