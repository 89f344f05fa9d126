import type { LInstruction, LValue } from './module.ts';

/** The values that an instruction uses; none for `load`, `store`, `getelementptr`, `icmp` and calls. */
export function operandsOf(i: LInstruction): readonly LValue[] {
  switch (i.op) {
    case 'cmpxchg':
      return [i.address, i.expected.value, i.desired.value];
    case 'atomicrmw':
      return [i.address, i.value.value];
    case 'binary':
    case 'fcmp':
      return [i.left, i.right];
    case 'cast':
    case 'fneg':
    case 'freeze':
      return [i.value];
    case 'select':
      return [i.condition.value, i.ifTrue.value, i.ifFalse.value];
    case 'phi':
      return i.incoming.map((incoming) => incoming.value);
    case 'extractvalue':
      return [i.aggregate.value];
    case 'insertvalue':
      return [i.aggregate.value, i.value.value];
    case 'extractelement':
      return [i.vector.value, i.index.value];
    case 'insertelement':
      return [i.vector.value, i.value.value, i.index.value];
    case 'shufflevector':
      return [i.left.value, i.right.value];
    case 'va_arg':
      return [i.list.value];
    case 'ret':
      return i.value === undefined ? [] : [i.value.value];
    case 'condbr':
      return [i.condition];
    case 'switch':
      return [i.value.value];
    case 'indirectbr':
      return [i.address];
    default:
      return [];
  }
}

/** Every value that an instruction uses. */
export function usedBy(i: LInstruction): readonly LValue[] {
  switch (i.op) {
    case 'load':
      return [i.address];
    case 'store':
      return [i.address, i.value.value];
    case 'gep':
      return [i.base.value, ...i.indices.map(({ value }) => value)];
    case 'icmp':
      return [i.left, i.right];
    case 'call':
    case 'invoke':
      return [i.callee, ...i.arguments.map(({ value }) => value)];
    default:
      return operandsOf(i);
  }
}
