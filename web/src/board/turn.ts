/** The turn of a person: what the dice allow, as a tree, and how far they have gone in it. */

import { needed } from "./checks.js";
import { afterMove, type Moved, type Position } from "./position.js";
import { BAR, diceOf, present } from "./svg.js";
import type { TurnTree } from "./types.js";

/** A move of one checker by one die, and the node to which it leads. */
export interface Branch {
  readonly from: number;
  readonly to: number;
  readonly die: number;
  readonly next: number;
}

/** A branch that was taken. */
export interface Step extends Branch, Moved {}

/** A tree whose nodes are lists of branches, and the tree as it came. */
export interface ReadTree {
  readonly dice: readonly [high: number, low: number];
  readonly nodes: readonly (readonly Branch[])[];
  readonly data: TurnTree;
}

/** The nodes as lists of branches. A tree of another turn would move checkers that are not there, one with
 * circles would never end, and one that repeats a branch has too many ways. */
export function readTree(tree: TurnTree | string, start: Position, svg: SVGElement): ReadTree {
  const { points, dice, nodes }: TurnTree = typeof tree === "string" ? JSON.parse(tree) : tree;
  needed([points, dice, nodes, ...(nodes?.length ? nodes : [null])].every(Array.isArray), "tree");
  const faces = diceOf(svg).slice(0, 2).map((die) => Number(die.dataset.value)); // of a doublet there are four
  if (JSON.stringify([start.points, faces]) !== JSON.stringify([points, dice])) throw new RangeError("the tree belongs to another picture");
  const depths = [0]; // of nodes: moves made before; a node follows those that lead to it
  const read = nodes.map((flat, at) => {
    const seen = new Set<string>();
    return Array.from({ length: Math.ceil(flat.length / 4) }, (_, index) => {
      const [from, to, die, next] = flat.slice(4 * index, 4 * index + 4);
      const isNew = seen.size < seen.add(`${from}/${die}`).size;
      const isMove = Number.isInteger(from) && from <= BAR && from > to && to === Math.max(from - die, 0);
      needed(isMove && isNew && dice.includes(die) && next > at && nodes[next] && depths[at] < 4, `node ${at} of tree`);
      depths[next] = Math.max(depths[next] ?? 0, depths[at] + 1);
      return { from, to, die, next };
    });
  });
  return { dice, nodes: read, data: { points, dice, nodes } };
}

export class Turn {
  moves: readonly Step[] = []; // those made
  isOver = false; // whether it has been ended
  isSwapped = false; // whether the lower die comes first
  readonly start: Position;
  readonly tree: ReadTree | null;

  /** From a position, by a tree that was read; null: nobody moves. */
  constructor(start: Position, tree: ReadTree | null = null) {
    this.start = start;
    this.tree = tree;
  }

  /** After the moves. */
  get position(): Position {
    return this.moves.at(-1)?.position ?? this.start;
  }

  get isOpen(): boolean {
    return this.tree !== null && !this.isOver;
  }

  get isComplete(): boolean {
    return this.isOpen && this.branches().length === 0;
  }

  get canSwapDice(): boolean {
    const [high, low] = this.tree?.dice ?? [];
    return this.isOpen && !this.moves.length && high !== low;
  }

  branches(node = this.moves.at(-1)?.next ?? 0): readonly Branch[] {
    return (this.isOpen && this.tree?.nodes[node]) || [];
  }

  /** The dice not yet played, that which a click plays first in front. */
  get diceLeft(): number[] {
    const [high, low] = present(this.tree).dice;
    const left = high === low ? [high, high, high, high] : this.isSwapped ? [low, high] : [high, low];
    for (const { die } of this.moves) left.splice(left.indexOf(die), 1);
    return left;
  }

  /** The moves, and after them these. */
  with(...branches: readonly Branch[]): readonly Step[] {
    const made = [...this.moves];
    for (const branch of branches) made.push({ ...branch, ...afterMove(made.at(-1)?.position ?? this.start, branch) });
    return made;
  }

  /** Go as far as these moves are allowed. */
  walk(moves: readonly (readonly unknown[])[]): void {
    for (const [from, to] of moves) {
      const branch = this.branches().find((branch) => branch.from === from && branch.to === to);
      if (!branch) break;
      this.moves = this.with(branch);
    }
  }

  /** How a checker is played with this die, or with the first of those left that it can be played with. */
  branchFrom(from: number, die?: number): Branch | undefined {
    const branches = this.branches().filter((branch) => branch.from === from);
    const byDie = (wanted: number) => branches.find(({ die }) => die === wanted) ?? branches.find(({ to, die }) => !to && die < wanted);
    return (die ? [die] : this.diceLeft).map(byDie).find(Boolean);
  }

  /** How two checkers make a point. */
  pairTo(point: number): Branch[] | undefined {
    const ways = this.branches().map((first) => [first, ...this.branches(first.next)].filter(({ to }) => to === point));
    return ways.find(({ length }) => length > 1);
  }

  /** What one checker can do: for each end the series that hits least, then the shortest, then the higher die first. */
  waysFrom(point: number): Map<number, readonly Branch[]> {
    const { points } = this.position;
    const rank = (series: readonly Branch[]) => {
      const stops = series.slice(0, -1).map(({ to }) => to);
      const first = 5 * stops.filter((stop) => points[stop] === -1).length + series.length;
      return [0, 1, 2].reduce((sum, at) => 26 * sum + (stops[at] ?? 0), first);
    };
    const best = new Map<number, readonly Branch[]>();
    const goOn = (series: readonly Branch[], node: number | undefined, at: number) => {
      for (const branch of this.branches(node).filter(({ from }) => from === at)) {
        const longer = [...series, branch];
        const rival = best.get(branch.to);
        if (!rival || rank(longer) < rank(rival)) best.set(branch.to, longer);
        goOn(longer, branch.next, branch.to);
      }
    };
    goOn([], undefined, point);
    return best;
  }

  /** The moves that are made without the person, if the page wants that in these cases; null: the person plays. */
  automatic(cases: readonly string[]): Branch[] | null {
    const { nodes } = present(this.tree);
    const { points } = this.start;
    if (cases.includes("forced") && nodes.filter(({ length }) => !length).length === 1) return this.#seriesOf(() => true);
    const series = this.#seriesOf(({ to }) => to === 0);
    const left = points.reduce((sum, count) => sum + Math.max(count, 0), 0);
    const isRace = points.findLastIndex((count) => count > 0) < points.findIndex((count) => count < 0);
    const isEach = series.length === Math.min(this.diceLeft.length, left);
    return cases.includes("bear-off") && isRace && isEach ? series : null;
  }

  /** Moves as long as there are such, the first of them each time. */
  #seriesOf(isSuch: (branch: Branch) => boolean): Branch[] {
    const series: Branch[] = [];
    for (let branch: Branch | undefined; (branch = this.branches(series.at(-1)?.next).find(isSuch)); ) series.push(branch);
    return series;
  }
}
