/**
 * The instructions of the machine's code, declared once. Everything else about their form derives from this table:
 * their numbers and operand positions (`operands.ts`, generated from it), their lengths (`opcodes.ts`), and, in tests,
 * how they are printed and what makes them valid (`test/support/listing.ts`).
 *
 * Every instruction is `[operation, site, …operands]`. An operand is `name:kind`:
 *
 *   name?:kind      the operand may be -1, for none
 *   name:value!     the execution ends with an error if the value has undefined bits (`run/definedness.ts`)
 *   name:register!  what is written to the register never has undefined bits
 *
 * Without `!`, values may have undefined bits, and those of a register depend on what the instruction computes. A group
 * in parentheses is repeated as often as the operand `count` before it says. `---` precedes the visible operations.
 */
const TABLE = `
  MOVE         type:type dest:register value:value
  BINARY       operator:binary type:type dest:register left:value right:value
  COMPARE      predicate:predicate type:type dest:register left:value right:value
  CAST         operator:cast from:type to:type dest:register value:value
  SELECT       type:type dest:register condition:value ifTrue:value ifFalse:value
  ALLOCA       dest:register! size:number align:number fill:number idle:number
  CALL         type?:type dest?:register callee:value! count:count (type:type value:value)
  ASSERT       condition:value! message:number text:text what:number
  ASSUME       condition:value!
  JUMP         target:pc
  BRANCH       condition:value! ifTrue:pc ifFalse:pc
  SWITCH       type:type value:value! otherwise:pc count:count (low:number high:number target:pc)
  RETURN       type?:type value?:value
  UNREACHABLE
  ALLOCATE     kind:number dest:register! size:value! align:value! fill:number
  PEEK         type:type dest:register address:value!
  POKE         type:type address:value! value:value
  THREADLOCAL  dest:register! offset:number
  SELF         dest:register! what:number
  PRINT        dest:register! bytes:value! most:value! stop:value
  EXITTHREAD   type?:type value?:value
  UNARY        operator:unary type:type dest:register value:value
  LOOPENTER    record:register undoes:number count:count (offset:register)
  LOOPBACK     record:register undoes:number count:count (offset:register)
  GLANCE       type:type dest:register address:value!
  DETACH       thread:value!
  EXTENT       dest:register! address:value!
  IDLEPOKE     type:type address:value! value:value
  MARK         name:value! value:value!
  ENDMARK      value:value!
  ISCONSTANT   dest:register! address:value!
  ISSTATIC     dest:register! address:value!
  OLDERLOCAL   dest:register! address:value!
  ENDPRINT     count:value
  CONVERT      dest:register! to:value! room:value! from:value! kind:value flags:value width:value! precision:value! value:value
  UNDEFINE     type:type dest:register
  REFRESH      address:value
  PROGRESS     dest:register!
  SUSPEND      address:value isBack:number
  ---
  LOAD         type:type dest:register address:value! order:order
  STORE        type:type address:value! value:value order:order
  RMW          operator:rmw type:type dest:register address:value! value:value order:order
  CMPXCHG      type:type dest:register success?:register address:value! expected:value desired:value order:order failureOrder:order
  FENCE        order:order
  CHOOSE       type:type dest:register! count:number
  SPAWN        dest:register! callee:value! count:count (type:type value:value)
  JOIN         type?:type dest?:register thread:value!
  LOCK         mutex:value!
  TRYLOCK      dest:register! mutex:value!
  UNLOCK       mutex:value!
  WAIT         condition:value! mutex:value!
  SIGNAL       condition:value!
  BROADCAST    condition:value!
  FREE         kind:number address:value!
  EXIT         status:value
  BEGINATOMIC
  ENDATOMIC
  AWAIT        dest:register success:register address:value! predicate:predicate bound:value! operator?:rmw value:value! order:order blocks:number
  TIMEDWAIT    condition:value! mutex:value!
  WAKE         dest:register! condition:value
  DESTROY      object:value!
  INIT         object:value! isNew:value
  LIFETIME     what:number address:value! size:value!
  DRAIN        dest:register record:value isFirst:number
`;

export type OperandKind =
  | 'type'
  | 'register'
  | 'value'
  | 'text'
  | 'pc'
  | 'count'
  | 'number'
  | 'order'
  | 'binary'
  | 'unary'
  | 'cast'
  | 'rmw'
  | 'predicate';

export interface OperandForm {
  readonly name: string;
  readonly kind: OperandKind;
  readonly isOptional: boolean;
  readonly isDefined: boolean;
}

export interface InstructionForm {
  readonly name: string;
  /** The first word. */
  readonly operation: number;
  readonly operands: readonly OperandForm[];
  /** The group that is repeated as often as the last operand says; empty for most. */
  readonly each: readonly OperandForm[];
}

/** Words before the operands. */
export const HEADER = 2;

const LINES: readonly string[] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim());

function readOperands(text: string): readonly OperandForm[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const [name, kind] = word.split(':') as [string, string];
      return {
        name: name.replace('?', ''),
        kind: kind.replace('!', '') as OperandKind,
        isOptional: name.endsWith('?'),
        isDefined: kind.endsWith('!'),
      };
    });
}

/** Operations are numbered from 1, in the order of the table. */
export const INSTRUCTIONS: readonly InstructionForm[] = LINES.filter((line) => line !== '---').map((line, i) => {
  const [, name, operands, each] = /^(\w+)([^(]*)(?:\((.*)\))?$/.exec(line)!;
  return { name: name!, operation: i + 1, operands: readOperands(operands!), each: readOperands(each ?? '') };
});

/** Words of an instruction, without the repeated group. */
export function fixedWords({ operands }: InstructionForm): number {
  return HEADER + operands.length;
}

/** The text of `operands.ts`. */
export function printOperands(): string {
  const lines = [
    '/** Written from `instruction-table.ts`: `UPDATE=1 npx vitest run src/machine/code/instruction-table.test.ts`. */',
    '',
    "/** The instruction's place in the program. */",
    'export const SITE = 1;',
    '',
    '/** Operations from here on are visible: one step, one event. */',
    `export const VISIBLE = ${LINES.indexOf('---') + 1};`,
    '/** How many numbers operations take. */',
    `export const OPERATIONS = ${INSTRUCTIONS.length + 1};`,
  ];
  for (const form of INSTRUCTIONS) {
    const { name, operation, operands, each } = form;
    lines.push('', `export const ${name} = ${operation};`);
    for (const [i, operand] of operands.entries()) {
      lines.push(`export const ${name}_${constantCase(operand.name)} = ${HEADER + i};`);
    }
    if (each.length === 0) lines.push(`export const ${name}_LENGTH = ${fixedWords(form)};`);
    else {
      lines.push(`export const ${name}_LIST = ${fixedWords(form)};`, `export const ${name}_EACH = ${each.length};`);
      for (const [i, { name: part }] of each.entries()) {
        lines.push(`export const ${name}_EACH_${constantCase(part)} = ${i};`);
      }
    }
  }
  lines.push('', '/** By operation: its operands, without the repeated group. */', 'export interface Operands {');
  lines.push(...INSTRUCTIONS.flatMap(operandTypes), '}');
  return `${lines.join('\n')}\n`;
}

/** Lines as the formatter would have them. */
function operandTypes({ name, operands }: InstructionForm): readonly string[] {
  const types = operands.map((operand) => `${operand.name}: number`);
  const line = `  readonly [${name}]: readonly [${types.join(', ')}];`;
  if (line.length <= 120) return [line];
  return [`  readonly [${name}]: readonly [`, ...types.map((type) => `    ${type},`), '  ];'];
}

function constantCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
