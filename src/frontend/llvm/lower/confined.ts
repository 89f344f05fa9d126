/**
 * Local variables whose address is passed to functions that do not keep it: `int v; do get(&v); while (!v);`. No other
 * thread can have the address, so the variable is private (`storage.ts`). In such a function, which may be passed other
 * addresses elsewhere, accesses through that parameter are local. So such calls get a copy of the function: one for
 * each set of parameters that are passed private addresses.
 *
 * Why a copy sees only private addresses: its parameter is never used in a way that could mix it with other addresses
 * (`classify`), and every caller of the copy passes a private address.
 *
 * Only for the user's functions, called by name; what our library does with addresses is not analysed.
 */
import type { Module } from '../ir/module.ts';
import type { DataLayout } from './data-layout.ts';
import { type FunctionParts, fleetingLocals, isFleetingParameter } from './fleeting.ts';
import type { LinkedFunction, LinkedSymbol } from './link.ts';
import { type Classified, classify, type Privacy } from './storage.ts';

interface Names {
  resolve(module: Module, name: string): LinkedSymbol | undefined;
  context(module: Module): { readonly layout: DataLayout };
}

/**
 * How deep calls are followed: functions called beyond that keep what they are passed. Each level takes part of our own
 * stack.
 */
const MAX_CALLS = 100;

export class Confined {
  /** For tests: treats every function as keeping what it is passed. */
  isOff = false;
  /** Whether the user's local variables begin and end where the code says so. */
  hasLives = false;
  private readonly names: Names;
  private readonly classified = new Map<LinkedFunction, Classified>();
  /** Functions being classified. If one of them is called again, directly or not, it keeps all of its parameters. */
  private readonly inProgress = new Set<LinkedFunction>();
  private readonly fleeting = new Map<LinkedFunction, Map<string, boolean>>();
  private readonly copies = new Map<LinkedFunction, Map<string, LinkedFunction>>();
  private calls = 0;

  constructor(names: Names) {
    this.names = names;
  }

  /** Where the function's local variables are stored, and what it does with its parameters. */
  of(linked: LinkedFunction): Classified {
    const original = linked.original ?? linked;
    const known = this.classified.get(original);
    if (known !== undefined) return known;
    const { func, module, isLibrary } = original;
    this.inProgress.add(original);
    const found = classify(func, {
      layout: this.names.context(module).layout,
      isLibrary,
      lives: !this.hasLives || isLibrary ? 'none' : module.isCxx === true ? 'declarations' : 'marks',
      isDefined: (name) => this.isDefined(module, name),
      keeps: (name, place) => isLibrary || this.keeps(module, name, place),
    });
    this.inProgress.delete(original);
    this.classified.set(original, found);
    return found;
  }

  private userFunction(module: Module, name: string): LinkedFunction | undefined {
    const symbol = this.names.resolve(module, name);
    return symbol?.kind === 'function' && !symbol.isLibrary ? symbol : undefined;
  }

  /**
   * Whether the function of this name may keep the address that is its argument number `place`, or mix it with others.
   */
  private keeps(module: Module, name: string, place: number): boolean {
    const callee = this.userFunction(module, name);
    if (this.isOff || callee === undefined || this.inProgress.has(callee)) return true;
    if (this.inProgress.size > MAX_CALLS && !this.classified.has(callee)) return true;
    const { parameters, blocks } = callee.func;
    const parameter = parameters[place];
    return parameter === undefined || blocks.length === 0 || this.of(callee).storage.get(parameter.name) !== 'private';
  }

  isDefined(module: Module, name: string): boolean {
    return this.userFunction(module, name) !== undefined;
  }

  /** Whether the first `bytes` bytes that this parameter points to are fleeting in the function (`fleeting.ts`). */
  isFleeting(module: Module, name: string, place: number, bytes: number): boolean {
    const callee = this.userFunction(module, name);
    if (callee === undefined || this.keeps(module, name, place)) return false;
    const key = `${place} ${bytes}`;
    const known = this.fleeting.get(callee) ?? new Map<string, boolean>();
    this.fleeting.set(callee, known);
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    if (this.calls > MAX_CALLS) return false;
    // The answer for recursive calls.
    known.set(key, false);
    this.calls++;
    const found = isFleetingParameter(this.partsOf(callee), this, callee.func.parameters[place]!.name, bytes);
    this.calls--;
    known.set(key, found);
    return found;
  }

  /** The fleeting variables of the function, and the parameters that point to fleeting variables. */
  fleetingIn(linked: LinkedFunction): ReadonlySet<string> {
    if (this.isOff) return new Set();
    return new Set([...(linked.fleetingParameters ?? []), ...fleetingLocals(this.partsOf(linked), this)]);
  }

  private partsOf(linked: LinkedFunction): FunctionParts {
    const { func, module } = linked;
    return { func, module, layout: this.names.context(module).layout, classified: this.of(linked) };
  }

  /** The function to call instead if some of these arguments are private addresses. */
  copyFor(module: Module, name: string, privacy: (place: number) => Privacy): LinkedFunction | undefined {
    const callee = this.userFunction(module, name);
    if (this.isOff || callee === undefined) return undefined;
    const { storage } = this.of(callee);
    const passed = callee.func.parameters.flatMap((parameter, place) => {
      const isPrivate = storage.get(parameter.name) === 'private' ? privacy(place) : false;
      return isPrivate === false ? [] : [{ name: parameter.name, place, isPrivate }];
    });
    if (passed.length === 0) return undefined;
    const copies = this.copies.get(callee) ?? new Map<string, LinkedFunction>();
    this.copies.set(callee, copies);
    const key = passed.map(({ place, isPrivate }) => (isPrivate === 'fleeting' ? `${place}!` : `${place}`)).join();
    let copy = copies.get(key);
    if (copy === undefined) {
      const fleeting = passed.filter(({ isPrivate }) => isPrivate === 'fleeting');
      copy = {
        ...callee,
        name: `${callee.name} [${key}]`,
        original: callee,
        privateParameters: new Set(passed.map((parameter) => parameter.name)),
        fleetingParameters: new Set(fleeting.map((parameter) => parameter.name)),
      };
      copies.set(key, copy);
    }
    return copy;
  }
}
