/** The registry of memory models. */
import type { Capability, ModelDescription } from './model.ts';
import { PSLO } from './pslo.ts';
import { PSLO_UNLOCK } from './pslo-unlock.ts';
import { PSO } from './pso.ts';
import { RC11 } from './rc11.ts';
import { SC } from './sc.ts';
import { TSO } from './tso.ts';

type Ours = typeof SC | typeof TSO | typeof PSO | typeof PSLO_UNLOCK | typeof PSLO | typeof RC11;

/** The built-in models that have a capability, as their descriptions say. */
export type NamesWith<C extends Capability> = Extract<
  Ours,
  { readonly capabilities: Readonly<Record<C, true>> }
>['name'];

/** The names of the built-in models. */
export type Model = Ours['name'];
/** Those that DPOR explores: one execution per trace. */
export type CheckedModel = NamesWith<'dpor'>;
/** Those that allow executions beyond SC. */
export type RelaxedModel = Exclude<Model, typeof SC.name>;
/** Those that monitors and robustness support. */
export type StoreBufferModel = NamesWith<'monitors'>;
/** Those that `fix` supports. */
export type FixModel = NamesWith<'fix'>;

/** The machines, from stronger to weaker, then the language's own model. */
const registered: ModelDescription[] = [SC, TSO, PSO, PSLO_UNLOCK, PSLO, RC11];

/** The built-in models, then those registered later. */
export const MODELS: readonly ModelDescription[] = registered;

/**
 * Adds a model that is not built in: behind `stronger`, or as the weakest. From then on, everything that uses the
 * registry knows it.
 */
export function registerModel(model: ModelDescription, stronger?: Model): void {
  if (registered.some(({ name }) => name === model.name)) throw new Error(`there is a model ${model.name} already`);
  const place = stronger === undefined ? registered.length : registered.indexOf(modelNamed(stronger)) + 1;
  registered.splice(place, 0, model);
}

export function modelNames(): readonly Model[] {
  return MODELS.map(({ name }) => name as Model);
}

/** The models that the machine runs on its own: each of its steps is allowed. */
export function operationalModels(): readonly Model[] {
  return modelNames().filter((name) => !modelNamed(name).isAxiomatic);
}

export function modelsWith<C extends Capability>(capability: C): readonly NamesWith<C>[] {
  return MODELS.filter(({ capabilities }) => capabilities[capability]).map(({ name }) => name as NamesWith<C>);
}

/** The models used if none is given, of those that have the capability. */
export function defaultModels<C extends Capability>(capability: C): readonly NamesWith<C>[] {
  return modelsWith(capability).filter((name) => modelNamed(name).isDefault);
}

/** The models used for a litmus test if none is given. That of a language is for tests in that language. */
export function defaultLitmusModels(isInC: boolean): readonly Model[] {
  return defaultModels('litmus').filter((model) => isInC || !isLanguage(model));
}

export function isModel(name: unknown): name is Model {
  return MODELS.some((model) => model.name === name);
}

/** Whether monitors, and so robustness, support it. */
export function hasMonitors(name: Model): name is StoreBufferModel {
  return modelNamed(name).capabilities.monitors;
}

/** Whether it is the model of a language, not of a machine. */
export function isLanguage(name: string): boolean {
  return modelNamed(name).language !== undefined;
}

export function canFix(name: Model): name is FixModel {
  return modelNamed(name).capabilities.fix;
}

/** The name of the model that this word means: `tso` for `x86`. A word that means none is returned as it is. */
export function modelMeant(word: string): string {
  return MODELS.find(({ alsoCalled }) => alsoCalled?.includes(word) === true)?.name ?? word;
}

export function modelNamed(name: string): ModelDescription {
  const model = MODELS.find((m) => m.name === name);
  if (model === undefined) throw new Error(`unknown memory model ${name}; expected one of ${modelNames().join(', ')}`);
  return model;
}

/** The last of these in registry order. */
export function weakest<M extends Model>(models: readonly M[]): M {
  return modelNames().findLast((name): name is M => models.includes(name as M))!;
}
