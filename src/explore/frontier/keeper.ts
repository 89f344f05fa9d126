/**
 * Keeps a [frontier](./frontier.ts) in memory: hands out jobs, takes back what is left of them, and appends to shared
 * nodes what running jobs propose. Every call is atomic. A job that is lost can be handed out again: no other job
 * depends on its private tree, and what it had proposed is covered when it is proposed again.
 */
import type { Job, Order, ProposalAnswer, Proposals, SharedBranch, SharedLevel } from '../dpor/job.ts';
import { type Branch, isDoneBranch, type SearchLevel } from '../dpor/search-state.ts';
import type { ChildData, FrontierData, JobData, NodeData, Place } from './frontier.ts';

type Child = { -readonly [Key in keyof ChildData]: ChildData[Key] };

interface Node {
  readonly parent?: Place;
  readonly finished: readonly string[];
  readonly children: Child[];
  /** Children below which something is left to do. */
  open: number;
}

interface KeptJob extends JobData {
  /**
   * Jobs of low rank go first: begun ones, of which much may be left, before others; and then those with fewer shared
   * levels above.
   */
  readonly rank: number;
}

/** More than any number of levels. */
const NOT_BEGUN = 1e6;

export interface HandedOut {
  readonly id: number;
  readonly job: Job;
}

export class Keeper implements Proposals {
  private readonly nodes = new Map<number, Node>();
  private readonly jobs = new Map<number, KeptJob>();
  /** Waiting jobs, which no worker has, by rank; none of these sets is empty. */
  private readonly queues = new Map<number, Set<number>>();
  private nextId = 0;
  /**
   * How many nodes are copied into a job or an answer; more only if the children of the nodes above the job, or the new
   * ones in an answer, are more, since those are always copied.
   */
  mostCopied = 50;
  /** Proposals so far, and how many of them were appended. */
  proposed = 0;
  appended = 0;
  /** Whether jobs share nothing: each is a path from the root, with what is left to do beside it. */
  readonly isList: boolean;

  constructor(isList = false) {
    this.isList = isList;
  }

  /** The whole search, or what is left of it. */
  static of(own?: readonly SearchLevel[], isList = false): Keeper {
    const keeper = new Keeper(isList);
    keeper.addJob({ ...(own === undefined ? {} : { own }) });
    return keeper;
  }

  /** A search from its beginning, in parts that share nothing. */
  static inParts(parts: readonly (readonly Order[])[]): Keeper {
    const keeper = new Keeper();
    for (const orders of parts) keeper.addJob({ orders });
    return keeper;
  }

  // ---- jobs

  get isDone(): boolean {
    return this.jobs.size === 0;
  }

  /** Jobs, waiting or running. */
  get size(): number {
    return this.jobs.size;
  }

  /** Whether this shared node exists. */
  has(node: number): boolean {
    return this.nodes.has(node);
  }

  /** Waiting jobs. */
  get waiting(): readonly number[] {
    return [...this.queues.values()].flatMap((ids) => [...ids]);
  }

  /** A waiting job, usually the largest. */
  get largest(): number | undefined {
    let least = Number.POSITIVE_INFINITY;
    for (const rank of this.queues.keys()) least = Math.min(least, rank);
    return this.queues.get(least)?.values().next().value;
  }

  private queue(id: number, { rank }: KeptJob): void {
    const ids = this.queues.get(rank);
    if (ids === undefined) this.queues.set(rank, new Set([id]));
    else ids.add(id);
  }

  /** Hands out a waiting job. */
  take(id: number): HandedOut {
    const { place, own, orders, rank } = this.jobs.get(id)!;
    const ids = this.queues.get(rank)!;
    ids.delete(id);
    if (ids.size === 0) this.queues.delete(rank);
    const job: Job = {
      shared: this.levelsTo(place),
      ...(own === undefined ? {} : { own }),
      ...(orders === undefined ? {} : { orders }),
    };
    return { id, job };
  }

  /** The job's worker is gone: the job waits again, as it was last reported. */
  lose(id: number): void {
    this.queue(id, this.jobs.get(id)!);
  }

  /** Records what is left of a running job, which continues. If nothing is left, it must be handed over instead. */
  keep(id: number, own: readonly SearchLevel[]): void {
    if (own.length === 0) throw new Error('an empty job cannot continue');
    this.jobs.set(id, { ...this.jobs.get(id)!, own });
  }

  /** A running job has ended: it is finished, or the rest of it goes to other workers. */
  handOver(id: number, own: readonly SearchLevel[], divides: boolean): void {
    const { place, orders } = this.jobs.get(id)!;
    this.jobs.delete(id);
    if (own.length === 0) this.finish(place);
    else if (orders !== undefined) this.addJob({ orders, own });
    else if (this.isList) for (const part of divides ? partsOf(own) : [own]) this.addJob({ own: part });
    else if (divides) this.divide(place, own);
    else this.addJob({ ...(place === undefined ? {} : { place }), own });
  }

  private addJob(job: JobData): void {
    const rank = (job.own === undefined ? NOT_BEGUN : 0) + this.levelsAbove(job);
    const kept = { ...job, rank };
    this.queue(this.nextId, kept);
    this.jobs.set(this.nextId++, kept);
  }

  private levelsAbove({ place, own = [] }: JobData): number {
    let levels = 0;
    if (this.isList)
      return Math.max(
        0,
        own.findIndex(({ branches }) => branches.length > 0),
      );
    for (let at = place; at !== undefined; at = this.nodes.get(at.node)!.parent) levels++;
    return levels;
  }

  /** The depth of the tree, including finished parts that are still kept. */
  get depth(): number {
    const levels = new Map<number, number>();
    let deepest = 0;
    // A node is older than those below it.
    for (const [id, { parent }] of this.nodes) {
      const above = parent === undefined ? 0 : levels.get(parent.node)!;
      levels.set(id, above + 1);
      deepest = Math.max(deepest, above + 1);
    }
    for (const { place, own = [] } of this.jobs.values()) {
      const above = place === undefined ? 0 : levels.get(place.node)!;
      deepest = Math.max(deepest, above + own.length);
      for (const [i, { branches }] of own.entries()) deepest = Math.max(deepest, above + i + 1 + depthOf(branches));
    }
    return deepest;
  }

  /** The shared nodes on the way to a child, from the root. */
  private levelsTo(place: Place | undefined): SharedLevel[] {
    const levels: SharedLevel[] = [];
    const copier = new Copier(this.nodes, this.mostCopied);
    for (let at = place; at !== undefined; ) {
      const { parent, finished, children }: Node = this.nodes.get(at.node)!;
      const older = children.slice(0, at.child).map(({ action }) => action);
      levels.push({
        node: at.node,
        older: [...finished, ...older],
        step: children[at.child]!.action,
        younger: copier.copy(children.slice(at.child + 1)),
        children: children.length,
      });
      at = parent;
    }
    return levels.reverse();
  }

  // ---- dividing jobs

  /**
   * Shares the levels of a job down to the first one that has other branches left, and on to the end of what was
   * prescribed there, because a job must be free. Each branch, and the rest of the current execution, becomes a job.
   */
  private divide(place: Place | undefined, own: readonly SearchLevel[]): void {
    let first = own.findIndex(({ branches }) => !branches.every(isDoneBranch));
    while (first < own.length - 1 && own[first]!.isFree !== true) first++;
    let parent = place;
    for (const [i, { finished, step, isFree, branches }] of own.slice(0, first + 1).entries()) {
      const id = this.addNode(parent, finished);
      const { children } = this.nodes.get(id)!;
      if (step !== undefined) {
        children.push({ action: step, isFree: isFree === true, isDone: false });
        this.nodes.get(id)!.open++;
        parent = { node: id, child: 0 };
        if (i === first) this.addJob({ place: parent, own: own.slice(first + 1) });
      }
      for (const branch of branches) this.append(id, branch);
    }
  }

  /** Adds a shared node below a child, or the root. */
  private addNode(parent: Place | undefined, finished: readonly string[]): number {
    const id = this.nextId++;
    this.nodes.set(id, { ...(parent === undefined ? {} : { parent }), finished, children: [], open: 0 });
    if (parent !== undefined) this.childAt(parent).node = id;
    return id;
  }

  /** Appends a branch to a shared node, as its last child. It may be thousands of actions long. */
  private append(root: number, all: Branch): void {
    const left: { readonly id: number; readonly branch: Branch }[] = [{ id: root, branch: all }];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { branch } = next;
      const behind = this.appendOne(next.id, branch);
      if (behind === undefined) continue;
      for (const child of branch.children.toReversed()) left.push({ id: behind, branch: child });
    }
  }

  /** Without what is below it. Returns the node for that, if it is shared too. */
  private appendOne(id: number, branch: Branch): number | undefined {
    const { action, children, finished = [] } = branch;
    const node = this.nodes.get(id)!;
    const place = { node: id, child: node.children.length };
    const isDone = isDoneBranch(branch);
    const isFree = branch.isFree === true || children.length === 0;
    node.children.push({ action, isFree, isDone });
    if (!isDone && node.open++ === 0) this.reopen(node);
    if (isFree) {
      if (!isDone)
        this.addJob({ place, ...(children.length === 0 ? {} : { own: [{ finished, branches: children }] }) });
      return undefined;
    }
    return this.addNode(place, finished);
  }

  // ---- one job again

  /**
   * Makes one job of all that is left, for a single worker that explores the tree in order: what sleeps at a child is
   * then what was finished before it, as in an undivided search. With `divides`, that job is divided again, near the
   * root. No job may be running: what was not handed over is lost. Not for parts by orders. Levels become nested, so
   * the `depth` must be small: data nested by the thousand can be neither copied nor printed.
   */
  merge(divides = false): void {
    const root = [...this.nodes.values()].find(({ parent }) => parent === undefined);
    const [job] = this.jobs.values();
    if (job === undefined) return;
    // Without a root, nothing has been divided.
    const own = root === undefined ? job.own : [this.levelOf(root, this.jobsByPlace())];
    this.nodes.clear();
    this.jobs.clear();
    this.queues.clear();
    if (divides && own !== undefined) this.divide(undefined, own);
    else this.addJob(own === undefined ? {} : { own });
  }

  private jobsByPlace(): Map<Child, JobData> {
    const jobs = new Map<Child, JobData>();
    for (const job of this.jobs.values()) if (job.place !== undefined) jobs.set(this.childAt(job.place), job);
    return jobs;
  }

  private levelOf({ finished, children }: Node, jobs: ReadonlyMap<Child, JobData>): SearchLevel {
    const branches = children.map((child): Branch => {
      const { action, isFree, isDone, node } = child;
      if (node === undefined)
        return isDone ? { action, children: [], isDone } : begunBranch(action, jobs.get(child)!.own);
      const behind = this.levelOf(this.nodes.get(node)!, jobs);
      return { action, children: behind.branches, isFree, finished: behind.finished };
    });
    return { finished, branches };
  }

  // ---- proposals

  propose(id: number, known: number, actions: readonly string[]): ProposalAnswer {
    const { children } = this.nodes.get(id)!;
    this.proposed++;
    if (children.length > known) return { newer: new Copier(this.nodes, this.mostCopied).copy(children.slice(known)) };
    this.appended++;
    this.append(
      id,
      actions.slice(0, -1).reduceRight<Branch>((rest, action) => ({ action, children: [rest] }), {
        action: actions.at(-1)!,
        children: [],
      }),
    );
    const nodes: number[] = [];
    for (let child = children[known]!; child.node !== undefined; child = this.nodes.get(child.node)!.children[0]!)
      nodes.push(child.node);
    return { nodes };
  }

  // ---- what is done

  private childAt({ node, child }: Place): Child {
    return this.nodes.get(node)!.children[child]!;
  }

  private finish(place: Place | undefined): void {
    for (let at = place; at !== undefined; ) {
      const node: Node = this.nodes.get(at.node)!;
      const child = node.children[at.child]!;
      child.isDone = true;
      // No job is left there, and no other job adds anything below a free child.
      if (child.isFree && child.node !== undefined) this.forget(child);
      if (--node.open > 0) return;
      at = node.parent;
    }
  }

  private forget(child: Child): void {
    const { node } = child;
    delete child.node;
    if (node === undefined) return;
    for (const below of this.nodes.get(node)!.children) this.forget(below);
    this.nodes.delete(node);
  }

  /** Something has been appended to a node that was done. */
  private reopen(node: Node): void {
    for (let { parent } = node; parent !== undefined; ) {
      const above = this.nodes.get(parent.node)!;
      const child = above.children[parent.child]!;
      if (!child.isDone) return;
      child.isDone = false;
      if (above.open++ > 0) return;
      ({ parent } = above);
    }
  }

  // ---- as plain data

  save(): FrontierData {
    const nodes = [...this.nodes].map(([id, { parent, finished, children }]): [number, NodeData] => [
      id,
      { ...(parent === undefined ? {} : { parent }), finished, children: children.map((child) => ({ ...child })) },
    ]);
    const jobs = [...this.jobs].map(([id, { rank: _, ...job }]): [number, JobData] => [id, job]);
    return { nodes, jobs, nextId: this.nextId, ...(this.isList ? { isList: true } : {}) };
  }

  static restore({ nodes, jobs, nextId, isList }: FrontierData): Keeper {
    const keeper = new Keeper(isList);
    for (const [id, { children, ...node }] of nodes) {
      const open = children.filter(({ isDone }) => !isDone).length;
      keeper.nodes.set(id, { ...node, children: children.map((child) => ({ ...child })), open });
    }
    for (const [id, job] of jobs) {
      keeper.nextId = id;
      keeper.addJob(job);
    }
    keeper.nextId = nextId;
    return keeper;
  }
}

/** The least number of parts, if there are as many. */
const PARTS = 4;

/** A job of its own for each of the shallowest branches, and one for the rest. */
function partsOf(own: readonly SearchLevel[]): readonly (readonly SearchLevel[])[] {
  const parts: SearchLevel[][] = [];
  const path: SearchLevel[] = [];
  for (const [i, level] of own.entries()) {
    if (parts.length >= PARTS) return [...parts, [...path, ...own.slice(i)]];
    for (const branch of level.branches) parts.push([...path, { finished: [], branches: [branch] }]);
    path.push({ ...level, branches: [] });
  }
  return parts.length === 0 ? [own] : parts;
}

/** A free branch of which this is left; all of it by default. */
function begunBranch(action: string, own: readonly SearchLevel[] = []): Branch {
  const [first, ...rest] = own;
  if (first === undefined) return { action, children: [] };
  return { action, children: branchesOf(first, rest), isFree: true, finished: first.finished };
}

/** How deep branches are nested. */
function depthOf(branches: readonly Branch[]): number {
  let depth = 0;
  for (let level = branches; level.length > 0; level = level.flatMap(({ children }) => children)) depth++;
  return depth;
}

/** All branches of a level, with what is left below its step. */
function branchesOf({ step, isFree = false, branches }: SearchLevel, rest: readonly SearchLevel[]): readonly Branch[] {
  const [next, ...others] = rest;
  if (step === undefined) return branches;
  const behind = next === undefined ? {} : { finished: next.finished };
  return [
    { action: step, children: next === undefined ? [] : branchesOf(next, others), isFree, ...behind },
    ...branches,
  ];
}

/**
 * Copies children, and what is below them up to a limit: the whole tree may be large, and a job that needs more asks
 * for it.
 */
class Copier {
  private readonly nodes: ReadonlyMap<number, Node>;
  private rest: number;

  constructor(nodes: ReadonlyMap<number, Node>, most: number) {
    this.nodes = nodes;
    this.rest = most;
  }

  copy(children: readonly Child[]): SharedBranch[] {
    this.rest -= children.length;
    return children.map(({ action, isFree, node }) => {
      if (isFree) return { action, children: [] };
      const behind = this.nodes.get(node!)!.children;
      return { action, node: node!, children: this.rest < behind.length ? [] : this.copy(behind) };
    });
  }
}
