/** Converts addresses in the log of a recorded program to places in the source and names of variables. */
import { statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { Modules } from '../../monitor/log/modules.ts';
import type { LoggedViolation } from '../../monitor/log/violation.ts';
import { ElfSymbols } from '../../platform/elf.ts';
import { findLines } from './symboliser.ts';

interface Placed {
  readonly violations: readonly LoggedViolation[];
  /** The place of a site and the name of a variable, if the log itself does not have them. */
  readonly placeOf: (site: number) => string | undefined;
  readonly variableOf: (address: number) => string | undefined;
  /** Files that have changed since the log was written, and so say nothing about it. */
  readonly changed: readonly string[];
}

/**
 * Uses the program's files as they are now. A log that is not a file but comes through a pipe counts as just written.
 * Violations of one monitor that turn out to have the same places are merged.
 */
export function placeViolations(log: string, violations: readonly LoggedViolation[], modules: Modules): Placed {
  const files = new Files(timeOf(log) || Number.POSITIVE_INFINITY);
  const sites = violations.flatMap(({ eventSite, writeSite, witness }) => [
    eventSite,
    writeSite,
    ...(witness === undefined || typeof witness === 'string'
      ? []
      : [...witness.cycle, ...witness.execution].map(({ site }) => site)),
  ]);
  const texts = textsOf(sites, modules, files);
  const placed = new Map<string, LoggedViolation>();
  for (const violation of violations) {
    const event = texts.get(violation.eventSite) ?? violation.event;
    const write = texts.get(violation.writeSite) ?? violation.write;
    const variable = violation.variable ?? variableAt(violation.address, modules, files);
    const isPlaced = texts.has(violation.eventSite) && texts.has(violation.writeSite);
    const key = isPlaced ? JSON.stringify([violation.monitor, event, write]) : `${placed.size}`;
    const known = placed.get(key);
    if (known === undefined) placed.set(key, { ...violation, event, write, variable });
    else known.count += violation.count;
  }
  return {
    violations: [...placed.values()],
    placeOf: (site) => texts.get(site),
    variableOf: (address) => variableAt(address, modules, files),
    changed: [...files.changed],
  };
}

/** By site; only where the log itself has no text for it. */
function textsOf(sites: readonly number[], modules: Modules, files: Files): Map<number, string> {
  const wanted = new Map<string, Map<number, number>>();
  for (const site of sites) {
    const place = site === 0 ? undefined : modules.code(site);
    if (place === undefined || !files.isUsable(place.path)) continue;
    const ofFile = wanted.get(place.path) ?? new Map<number, number>();
    wanted.set(place.path, ofFile.set(site, place.address));
  }
  const texts = new Map<number, string>();
  for (const [path, ofFile] of wanted) {
    const lines = findLines(path, [...new Set(ofFile.values())]);
    for (const [site, address] of ofFile) {
      const line = lines.get(address);
      const name = files.symbols(path).at(address)?.name;
      if (line !== undefined) texts.set(site, fromHere(line));
      else if (name !== undefined) texts.set(site, `${name} (${modules.text(site)})`);
    }
  }
  return texts;
}

function variableAt(address: number, modules: Modules, files: Files): string | undefined {
  const place = modules.data(address);
  if (place === undefined || !files.isUsable(place.path)) return undefined;
  const symbol = files.symbols(place.path).at(place.address);
  if (symbol === undefined) return undefined;
  const offset = place.address - symbol.address;
  return offset === 0 ? symbol.name : `${symbol.name}+${offset}`;
}

/** The path of the source; relative to the current folder if it is inside it. */
function fromHere(line: string): string {
  const short = relative(process.cwd(), line);
  return short.startsWith('..') || short === '' ? line : short;
}

class Files {
  readonly changed = new Set<string>();
  private readonly logged: number;
  private readonly known = new Map<string, ElfSymbols>();

  constructor(logged: number) {
    this.logged = logged;
  }

  /** A log can contain any path, and tools give a special meaning to names that begin with @ or -. */
  isUsable(path: string): boolean {
    if (!isAbsolute(path)) return false;
    const time = timeOf(path);
    if (time > this.logged) this.changed.add(path);
    return time <= this.logged && time > 0;
  }

  symbols(path: string): ElfSymbols {
    let symbols = this.known.get(path);
    if (symbols === undefined) {
      symbols = ElfSymbols.read(path);
      this.known.set(path, symbols);
    }
    return symbols;
  }
}

/** When the file was last written; 0 if it is not a file or cannot be examined. */
function timeOf(path: string): number {
  try {
    const status = statSync(path);
    return status.isFile() ? status.mtimeMs : 0;
  } catch {
    return 0;
  }
}
