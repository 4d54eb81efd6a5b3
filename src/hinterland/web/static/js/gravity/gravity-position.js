/** A scene as the board reads it: stones, plane, and the legality of the next stone. */
import { isSame, obstacle } from "./pulls.js";
import { tooNear } from "./gravity-words.js";

/** @import { Move, Scene } from "../base/types.js" */
/** @import { Plane, Stone } from "./pulls.js" */

export class GravityPosition {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {Stone[]} */
    this.stones = scene.moves.map(({ seat, move: [row, col, weight = 1] }) => ({ row, col, weight, seat }));
    this.size = Number(scene.rules.size);
    this.spacing = Number(scene.rules.spacing);
    this.isWeighted = scene.rules.weight !== null && scene.rules.weight !== undefined;
    /** The weight of an ordinary stone. */
    this.unit = this.isWeighted ? Number(scene.rules.weight) / Number(scene.rules.stones) : 1;
    /** @type {Plane} */
    this.plane = { size: this.size, seats: scene.names.length, law: scene.rules.law === "nearest" ? "nearest" : "gravity" };
  }

  /** The one stone that this position adds to an earlier one, if it does. @param {GravityPosition | null} before */
  newStone(before) {
    const earlier = before?.stones ?? [];
    const follows = this.stones.length === earlier.length + 1 && earlier.every((stone, k) => isSame(stone, this.stones[k]));
    return follows ? this.stones[earlier.length] : null;
  }

  /** Why no stone may be placed here; empty if one may. @param {number} row @param {number} col */
  refusal(row, col) {
    const near = obstacle(this.stones, row, col, this.spacing);
    return near ? tooNear(this.spacing, near) : "";
  }

  /** @param {number} row @param {number} col @param {number} weight @returns {Move} */
  moveAt(row, col, weight) {
    return this.isWeighted ? [row, col, weight] : [row, col];
  }
}
