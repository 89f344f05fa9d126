/** Generated programs without the features that execution graphs refuse, with ever more atomic accesses. */
import type { Body, FuzzProgram, How, Order, Place, Statement } from './ast.ts';
import { blocksOf, withBlocks } from './ast.ts';

/**
 * - `sizes`: every access has four bytes, and there are no atomic sections
 * - `sections`: the same as `atomic`, with atomic sections; under rc11 only
 * - `atomic`: also, plain and volatile accesses are relaxed, so that most programs have no race
 * - `seq_cst`: also, every order is seq_cst
 */
export type GraphForm = 'sizes' | 'sections' | 'atomic' | 'seq_cst';

export const GRAPH_FORMS: readonly GraphForm[] = ['sizes', 'sections', 'atomic', 'seq_cst'];

export function graphForm(program: FuzzProgram, form: GraphForm): FuzzProgram {
  const body = (statements: Body): Body => statements.flatMap(statement);
  const statement = (s: Statement): Body => {
    const blocks = blocksOf(s).map(body);
    return s.op === 'section' && form !== 'sections' ? blocks[0]! : [withBlocks(access(s, form), blocks)];
  };
  return { ...program, threads: program.threads.map(body), once: body(program.once) };
}

/** The access with another size and order; its blocks are kept. */
function access(statement: Statement, form: GraphForm): Statement {
  const change = (key: string, value: unknown): unknown => {
    switch (key) {
      case 'place':
      case 'first':
      case 'second':
        return { ...(value as Place), offset: (value as Place).offset & 4, size: 4 };
      case 'how':
        return HOWS.includes(value as How) ? strengthen(value as How, form) : value;
      case 'order':
      case 'failure':
        return form === 'seq_cst' ? 'seq_cst' : value;
      case 'wait':
        return changeAll(value as object);
      default:
        return value;
    }
  };
  const changeAll = (of: object): object =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(key, value)]));
  return changeAll(statement) as Statement;
}

const HOWS: readonly How[] = ['plain', 'volatile', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];

function strengthen(how: How, form: GraphForm): How {
  if (form === 'seq_cst') return 'seq_cst';
  return form !== 'sizes' && (how === 'plain' || how === 'volatile') ? ('relaxed' satisfies Order) : how;
}

/** Library operations that synchronise by anything but seq_cst accesses and locks; relaxed assembly. */
const OTHERS = ['post', 'down', 'tryDown', 'barrier', 'spinLocked', 'rwlocked', 'once', 'asmPlain'];

/** Whether every atomic access is seq_cst, and only mutexes synchronise otherwise, without trylocks. */
export function isSequential(program: FuzzProgram): boolean {
  const text = JSON.stringify(program);
  if (OTHERS.some((op) => text.includes(`"op":"${op}"`)) || /"how":"(try|timed)lock"/.test(text)) return false;
  return !/"(how|order|failure)":"(relaxed|acquire|release|acq_rel)"/.test(text);
}
