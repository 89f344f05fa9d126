/** Compiles one instruction of the program form to instructions of the code. */
import type { Instruction, ObjectKind, Operand } from '../../program/ir.ts';
import { typeOf } from '../../program/ir.ts';
import { JUNK_WORD } from '../../program/junk.ts';
import { unreachable } from '../../util/unreachable.ts';
import { constantWords, typeCode } from './code.ts';
import type { CodeWriter } from './code-writer.ts';
import * as op from './opcodes.ts';
import { orderCode } from './order.ts';

function kindCode(kind: ObjectKind): number {
  return { heap: op.HEAP_OBJECT, stack: op.STACK_OBJECT, kept: op.KEPT_OBJECT }[kind];
}

function selfCode(what: 'next' | 'detached' | undefined): number {
  if (what === undefined) return op.OWN_HANDLE;
  return what === 'next' ? op.NEXT_HANDLE : op.IS_DETACHED;
}

function assertCode({ misuse, notModelled, refuses }: Extract<Instruction, { op: 'assert' }>): number {
  if (refuses === true) return op.REFUSAL;
  return misuse === true ? op.MISUSE : notModelled === true ? op.NOT_MODELLED : op.CLAIM;
}

export function compileInstruction(w: CodeWriter, i: Instruction, site: number): void {
  switch (i.op) {
    case 'move':
      return w.emit(op.MOVE, site, w.destType(i.dest), w.dest(i.dest), w.value(i.value));
    case 'binary':
      return w.emit(
        op.BINARY,
        site,
        op.BINARY_OPERATORS.indexOf(i.operator),
        w.destType(i.dest),
        w.dest(i.dest),
        w.value(i.left),
        w.value(i.right),
      );
    case 'unary':
      return w.emit(
        op.UNARY,
        site,
        op.UNARY_OPERATORS.indexOf(i.operator),
        w.destType(i.dest),
        w.dest(i.dest),
        w.value(i.value),
      );
    case 'compare':
      return w.emit(
        op.COMPARE,
        site,
        op.PREDICATES.indexOf(i.predicate),
        w.operandType(i.left),
        w.dest(i.dest),
        w.value(i.left),
        w.value(i.right),
      );
    case 'cast':
      return w.emit(
        op.CAST,
        site,
        op.CAST_OPERATORS.indexOf(i.operator),
        w.operandType(i.value),
        w.destType(i.dest),
        w.dest(i.dest),
        w.value(i.value),
      );
    case 'select':
      return w.emit(
        op.SELECT,
        site,
        w.destType(i.dest),
        w.dest(i.dest),
        w.value(i.condition),
        w.value(i.ifTrue),
        w.value(i.ifFalse),
      );
    case 'undefine':
      return w.emit(op.UNDEFINE, site, w.destType(i.dest), w.dest(i.dest));
    case 'alloca':
      return w.emit(op.ALLOCA, site, w.dest(i.dest), i.size, i.align, fill(i), i.isIdle === true ? 1 : 0);
    case 'allocate':
      w.emit(
        op.ALLOCATE,
        site,
        kindCode(i.what),
        w.dest(i.dest),
        w.value(i.size),
        i.align === undefined ? w.constant([16, 0]) : w.value(i.align),
        fill(i),
      );
      // Not with the size in `i`: its register may be the one that now holds the address.
      if (i.what !== 'kept') w.lifetime(site, 'allocated', w.dest(i.dest), w.constant([0, 0]));
      return;
    case 'refresh':
      return w.emit(op.REFRESH, site, w.value(i.address));
    case 'suspend':
      return w.emit(op.SUSPEND, site, w.value(i.address), i.isBack ? 1 : 0);
    case 'progress':
      return w.emit(op.PROGRESS, site, w.dest(i.dest));
    case 'extent':
      return w.emit(op.EXTENT, site, w.dest(i.dest), w.value(i.address));
    case 'isconstant':
      return w.emit(op.ISCONSTANT, site, w.dest(i.dest), w.value(i.address));
    case 'isstatic':
      return w.emit(op.ISSTATIC, site, w.dest(i.dest), w.value(i.address));
    case 'olderlocal':
      return w.emit(op.OLDERLOCAL, site, w.dest(i.dest), w.value(i.address));
    case 'peek':
      return w.emit(op.PEEK, site, w.destType(i.dest), w.dest(i.dest), w.value(i.address));
    case 'poke':
      return w.emit(
        i.isIdle === true ? op.IDLEPOKE : op.POKE,
        site,
        w.operandType(i.value),
        w.value(i.address),
        w.value(i.value),
      );
    case 'threadlocal':
      return w.emit(op.THREADLOCAL, site, w.dest(i.dest), w.addresses[i.global]!);
    case 'self':
      return w.emit(op.SELF, site, w.dest(i.dest), selfCode(i.what));
    case 'print':
      return w.emit(op.PRINT, site, w.dest(i.dest), w.value(i.bytes), w.value(i.most), w.value(i.stop));
    case 'endprint':
      return w.emit(op.ENDPRINT, site, w.value(i.count));
    case 'convert':
      return w.emit(
        op.CONVERT,
        site,
        w.dest(i.dest),
        w.value(i.to),
        w.value(i.room),
        w.value(i.from),
        w.value(i.kind),
        w.value(i.flags),
        w.value(i.width),
        w.value(i.precision),
        w.value(i.value),
      );
    case 'mark':
      return w.emit(op.MARK, site, w.value(i.name), w.value(i.value));
    case 'endmark':
      return w.emit(op.ENDMARK, site, w.value(i.value));
    case 'call':
      w.emit(op.CALL, site, ...result(w, i.dest), w.value(i.callee), i.arguments.length);
      return w.values(i.arguments);
    case 'assert':
      w.messages.push(i.message);
      return w.emit(
        op.ASSERT,
        site,
        w.value(i.condition),
        w.messages.length - 1,
        i.text === undefined ? op.NO_TEXT : w.value(i.text),
        assertCode(i),
      );
    case 'detach':
      return w.emit(op.DETACH, site, w.value(i.thread));
    case 'glance':
      return w.emit(op.GLANCE, site, w.destType(i.dest), w.dest(i.dest), w.value(i.address));
    case 'await':
      return w.emit(
        op.AWAIT,
        site,
        w.dest(i.dest),
        w.dest(i.success),
        w.value(i.address),
        op.PREDICATES.indexOf(i.predicate),
        w.value(i.bound),
        op.RMW_OPERATORS.indexOf(i.operator),
        w.value(i.value),
        orderCode(i.order),
        i.blocks ? 1 : 0,
      );
    case 'destroy':
      return w.emit(op.DESTROY, site, w.value(i.object));
    case 'drain':
      return w.emit(op.DRAIN, site, w.dest(i.dest), w.value(i.record), i.isFirst ? 1 : 0);
    case 'init':
      return w.emit(op.INIT, site, w.value(i.object), w.value(i.isNew));
    case 'lifetime':
      return w.lifetime(site, i.what, w.value(i.address), w.value(i.size));
    case 'assume':
      return w.emit(op.ASSUME, site, w.value(i.condition));
    case 'load':
      return w.emit(op.LOAD, site, w.destType(i.dest), w.dest(i.dest), w.value(i.address), orderCode(i.order));
    case 'store':
      w.emit(op.STORE, site, w.operandType(i.value), w.value(i.address), w.value(i.value), orderCode(i.order));
      if (i.order === 'seq_cst' && !w.isAxiomatic) w.emit(op.FENCE, site, orderCode('seq_cst'));
      return;
    case 'rmw':
      if (i.isStore === true && !w.isAxiomatic)
        return w.emit(op.STORE, site, w.destType(i.dest), w.value(i.address), w.value(i.value), orderCode(i.order));
      return w.emit(
        op.RMW,
        site,
        op.RMW_OPERATORS.indexOf(i.operator),
        w.destType(i.dest),
        w.dest(i.dest),
        w.value(i.address),
        w.value(i.value),
        orderCode(i.order),
      );
    case 'cmpxchg':
      return w.emit(
        op.CMPXCHG,
        site,
        w.destType(i.dest),
        w.dest(i.dest),
        i.success === undefined ? -1 : w.dest(i.success),
        w.value(i.address),
        w.value(i.expected),
        w.value(i.desired),
        orderCode(i.order),
        orderCode(i.failureOrder),
      );
    case 'fence':
      if (i.ofMachine === true && w.isAxiomatic) return;
      return w.emit(op.FENCE, site, orderCode(i.order));
    case 'free':
      return w.emit(op.FREE, site, kindCode(i.what), w.value(i.address));
    case 'choose':
      return w.emit(op.CHOOSE, site, w.destType(i.dest), w.dest(i.dest), i.count);
    case 'spawn':
      w.emit(op.SPAWN, site, w.dest(i.dest), w.value(i.callee), i.arguments.length);
      return w.values(i.arguments);
    case 'join':
      return w.emit(op.JOIN, site, ...result(w, i.dest), w.value(i.thread));
    case 'lock':
      return w.emit(op.LOCK, site, w.value(i.mutex));
    case 'trylock':
      return w.emit(op.TRYLOCK, site, w.dest(i.dest), w.value(i.mutex));
    case 'unlock':
      return w.emit(op.UNLOCK, site, w.value(i.mutex));
    case 'wait':
      w.emit(i.timedOut === undefined ? op.WAIT : op.TIMEDWAIT, site, w.value(i.condition), w.value(i.mutex));
      if (i.timedOut !== undefined) w.emit(op.WAKE, site, w.dest(i.timedOut), w.value(i.condition));
      return w.emit(op.LOCK, site, w.value(i.mutex));
    case 'signal':
      return w.emit(op.SIGNAL, site, w.value(i.condition));
    case 'broadcast':
      return w.emit(op.BROADCAST, site, w.value(i.condition));
    case 'beginatomic':
      return w.emit(op.BEGINATOMIC, site);
    case 'endatomic':
      return w.emit(op.ENDATOMIC, site);
    case 'exit':
      return w.emit(op.EXIT, site, w.value(i.status));
    case 'jump':
      return w.emit(op.JUMP, site, w.target(op.JUMP_TARGET, i.target));
    case 'branch':
      return w.emit(
        op.BRANCH,
        site,
        w.value(i.condition),
        w.target(op.BRANCH_IF_TRUE, i.ifTrue),
        w.target(op.BRANCH_IF_FALSE, i.ifFalse),
      );
    case 'switch': {
      const type = typeOf(w.func, i.value)!;
      const otherwise = w.target(op.SWITCH_OTHERWISE, i.default);
      w.emit(op.SWITCH, site, typeCode(type), w.value(i.value), otherwise, i.cases.length);
      for (const c of i.cases) w.each(...constantWords(type, c.value), w.target(op.SWITCH_EACH_TARGET, c.target));
      return;
    }
    case 'return':
      return w.emit(op.RETURN, site, ...optional(w, i.value));
    case 'exitthread':
      return w.emit(op.EXITTHREAD, site, ...optional(w, i.value));
    case 'unreachable':
      return w.emit(op.UNREACHABLE, site);
    default:
      return unreachable(i);
  }
}

/** The type and place of a register, if there is one. */
function result(w: CodeWriter, dest: number | undefined): [type: number, dest: number] {
  return dest === undefined ? [-1, -1] : [w.destType(dest), w.dest(dest)];
}

/** The type and place of a value, if there is one. */
function optional(w: CodeWriter, value: Operand | undefined): [type: number, value: number] {
  return value === undefined ? [-1, -1] : [w.operandType(value), w.value(value)];
}

/** What fresh memory is filled with. */
function fill({ isJunk, isUndefined }: { readonly isJunk?: boolean; readonly isUndefined?: boolean }): number {
  return isJunk === true ? JUNK_WORD : isUndefined === true ? op.UNDEFINED_FILL : 0;
}
