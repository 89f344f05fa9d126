/** Written from `instruction-table.ts`: `UPDATE=1 npx vitest run src/machine/code/instruction-table.test.ts`. */

/** The instruction's place in the program. */
export const SITE = 1;

/** Operations from here on are visible: one step, one event. */
export const VISIBLE = 40;
/** How many numbers operations take. */
export const OPERATIONS = 65;

export const MOVE = 1;
export const MOVE_TYPE = 2;
export const MOVE_DEST = 3;
export const MOVE_VALUE = 4;
export const MOVE_LENGTH = 5;

export const BINARY = 2;
export const BINARY_OPERATOR = 2;
export const BINARY_TYPE = 3;
export const BINARY_DEST = 4;
export const BINARY_LEFT = 5;
export const BINARY_RIGHT = 6;
export const BINARY_LENGTH = 7;

export const COMPARE = 3;
export const COMPARE_PREDICATE = 2;
export const COMPARE_TYPE = 3;
export const COMPARE_DEST = 4;
export const COMPARE_LEFT = 5;
export const COMPARE_RIGHT = 6;
export const COMPARE_LENGTH = 7;

export const CAST = 4;
export const CAST_OPERATOR = 2;
export const CAST_FROM = 3;
export const CAST_TO = 4;
export const CAST_DEST = 5;
export const CAST_VALUE = 6;
export const CAST_LENGTH = 7;

export const SELECT = 5;
export const SELECT_TYPE = 2;
export const SELECT_DEST = 3;
export const SELECT_CONDITION = 4;
export const SELECT_IF_TRUE = 5;
export const SELECT_IF_FALSE = 6;
export const SELECT_LENGTH = 7;

export const ALLOCA = 6;
export const ALLOCA_DEST = 2;
export const ALLOCA_SIZE = 3;
export const ALLOCA_ALIGN = 4;
export const ALLOCA_FILL = 5;
export const ALLOCA_IDLE = 6;
export const ALLOCA_LENGTH = 7;

export const CALL = 7;
export const CALL_TYPE = 2;
export const CALL_DEST = 3;
export const CALL_CALLEE = 4;
export const CALL_COUNT = 5;
export const CALL_LIST = 6;
export const CALL_EACH = 2;
export const CALL_EACH_TYPE = 0;
export const CALL_EACH_VALUE = 1;

export const ASSERT = 8;
export const ASSERT_CONDITION = 2;
export const ASSERT_MESSAGE = 3;
export const ASSERT_TEXT = 4;
export const ASSERT_WHAT = 5;
export const ASSERT_LENGTH = 6;

export const ASSUME = 9;
export const ASSUME_CONDITION = 2;
export const ASSUME_LENGTH = 3;

export const JUMP = 10;
export const JUMP_TARGET = 2;
export const JUMP_LENGTH = 3;

export const BRANCH = 11;
export const BRANCH_CONDITION = 2;
export const BRANCH_IF_TRUE = 3;
export const BRANCH_IF_FALSE = 4;
export const BRANCH_LENGTH = 5;

export const SWITCH = 12;
export const SWITCH_TYPE = 2;
export const SWITCH_VALUE = 3;
export const SWITCH_OTHERWISE = 4;
export const SWITCH_COUNT = 5;
export const SWITCH_LIST = 6;
export const SWITCH_EACH = 3;
export const SWITCH_EACH_LOW = 0;
export const SWITCH_EACH_HIGH = 1;
export const SWITCH_EACH_TARGET = 2;

export const RETURN = 13;
export const RETURN_TYPE = 2;
export const RETURN_VALUE = 3;
export const RETURN_LENGTH = 4;

export const UNREACHABLE = 14;
export const UNREACHABLE_LENGTH = 2;

export const ALLOCATE = 15;
export const ALLOCATE_KIND = 2;
export const ALLOCATE_DEST = 3;
export const ALLOCATE_SIZE = 4;
export const ALLOCATE_ALIGN = 5;
export const ALLOCATE_FILL = 6;
export const ALLOCATE_LENGTH = 7;

export const PEEK = 16;
export const PEEK_TYPE = 2;
export const PEEK_DEST = 3;
export const PEEK_ADDRESS = 4;
export const PEEK_LENGTH = 5;

export const POKE = 17;
export const POKE_TYPE = 2;
export const POKE_ADDRESS = 3;
export const POKE_VALUE = 4;
export const POKE_LENGTH = 5;

export const THREADLOCAL = 18;
export const THREADLOCAL_DEST = 2;
export const THREADLOCAL_OFFSET = 3;
export const THREADLOCAL_LENGTH = 4;

export const SELF = 19;
export const SELF_DEST = 2;
export const SELF_WHAT = 3;
export const SELF_LENGTH = 4;

export const PRINT = 20;
export const PRINT_DEST = 2;
export const PRINT_BYTES = 3;
export const PRINT_MOST = 4;
export const PRINT_STOP = 5;
export const PRINT_LENGTH = 6;

export const EXITTHREAD = 21;
export const EXITTHREAD_TYPE = 2;
export const EXITTHREAD_VALUE = 3;
export const EXITTHREAD_LENGTH = 4;

export const UNARY = 22;
export const UNARY_OPERATOR = 2;
export const UNARY_TYPE = 3;
export const UNARY_DEST = 4;
export const UNARY_VALUE = 5;
export const UNARY_LENGTH = 6;

export const LOOPENTER = 23;
export const LOOPENTER_RECORD = 2;
export const LOOPENTER_UNDOES = 3;
export const LOOPENTER_COUNT = 4;
export const LOOPENTER_LIST = 5;
export const LOOPENTER_EACH = 1;
export const LOOPENTER_EACH_OFFSET = 0;

export const LOOPBACK = 24;
export const LOOPBACK_RECORD = 2;
export const LOOPBACK_UNDOES = 3;
export const LOOPBACK_COUNT = 4;
export const LOOPBACK_LIST = 5;
export const LOOPBACK_EACH = 1;
export const LOOPBACK_EACH_OFFSET = 0;

export const GLANCE = 25;
export const GLANCE_TYPE = 2;
export const GLANCE_DEST = 3;
export const GLANCE_ADDRESS = 4;
export const GLANCE_LENGTH = 5;

export const DETACH = 26;
export const DETACH_THREAD = 2;
export const DETACH_LENGTH = 3;

export const EXTENT = 27;
export const EXTENT_DEST = 2;
export const EXTENT_ADDRESS = 3;
export const EXTENT_LENGTH = 4;

export const IDLEPOKE = 28;
export const IDLEPOKE_TYPE = 2;
export const IDLEPOKE_ADDRESS = 3;
export const IDLEPOKE_VALUE = 4;
export const IDLEPOKE_LENGTH = 5;

export const MARK = 29;
export const MARK_NAME = 2;
export const MARK_VALUE = 3;
export const MARK_LENGTH = 4;

export const ENDMARK = 30;
export const ENDMARK_VALUE = 2;
export const ENDMARK_LENGTH = 3;

export const ISCONSTANT = 31;
export const ISCONSTANT_DEST = 2;
export const ISCONSTANT_ADDRESS = 3;
export const ISCONSTANT_LENGTH = 4;

export const ISSTATIC = 32;
export const ISSTATIC_DEST = 2;
export const ISSTATIC_ADDRESS = 3;
export const ISSTATIC_LENGTH = 4;

export const OLDERLOCAL = 33;
export const OLDERLOCAL_DEST = 2;
export const OLDERLOCAL_ADDRESS = 3;
export const OLDERLOCAL_LENGTH = 4;

export const ENDPRINT = 34;
export const ENDPRINT_COUNT = 2;
export const ENDPRINT_LENGTH = 3;

export const CONVERT = 35;
export const CONVERT_DEST = 2;
export const CONVERT_TO = 3;
export const CONVERT_ROOM = 4;
export const CONVERT_FROM = 5;
export const CONVERT_KIND = 6;
export const CONVERT_FLAGS = 7;
export const CONVERT_WIDTH = 8;
export const CONVERT_PRECISION = 9;
export const CONVERT_VALUE = 10;
export const CONVERT_LENGTH = 11;

export const UNDEFINE = 36;
export const UNDEFINE_TYPE = 2;
export const UNDEFINE_DEST = 3;
export const UNDEFINE_LENGTH = 4;

export const REFRESH = 37;
export const REFRESH_ADDRESS = 2;
export const REFRESH_LENGTH = 3;

export const PROGRESS = 38;
export const PROGRESS_DEST = 2;
export const PROGRESS_LENGTH = 3;

export const SUSPEND = 39;
export const SUSPEND_ADDRESS = 2;
export const SUSPEND_IS_BACK = 3;
export const SUSPEND_LENGTH = 4;

export const LOAD = 40;
export const LOAD_TYPE = 2;
export const LOAD_DEST = 3;
export const LOAD_ADDRESS = 4;
export const LOAD_ORDER = 5;
export const LOAD_LENGTH = 6;

export const STORE = 41;
export const STORE_TYPE = 2;
export const STORE_ADDRESS = 3;
export const STORE_VALUE = 4;
export const STORE_ORDER = 5;
export const STORE_LENGTH = 6;

export const RMW = 42;
export const RMW_OPERATOR = 2;
export const RMW_TYPE = 3;
export const RMW_DEST = 4;
export const RMW_ADDRESS = 5;
export const RMW_VALUE = 6;
export const RMW_ORDER = 7;
export const RMW_LENGTH = 8;

export const CMPXCHG = 43;
export const CMPXCHG_TYPE = 2;
export const CMPXCHG_DEST = 3;
export const CMPXCHG_SUCCESS = 4;
export const CMPXCHG_ADDRESS = 5;
export const CMPXCHG_EXPECTED = 6;
export const CMPXCHG_DESIRED = 7;
export const CMPXCHG_ORDER = 8;
export const CMPXCHG_FAILURE_ORDER = 9;
export const CMPXCHG_LENGTH = 10;

export const FENCE = 44;
export const FENCE_ORDER = 2;
export const FENCE_LENGTH = 3;

export const CHOOSE = 45;
export const CHOOSE_TYPE = 2;
export const CHOOSE_DEST = 3;
export const CHOOSE_COUNT = 4;
export const CHOOSE_LENGTH = 5;

export const SPAWN = 46;
export const SPAWN_DEST = 2;
export const SPAWN_CALLEE = 3;
export const SPAWN_COUNT = 4;
export const SPAWN_LIST = 5;
export const SPAWN_EACH = 2;
export const SPAWN_EACH_TYPE = 0;
export const SPAWN_EACH_VALUE = 1;

export const JOIN = 47;
export const JOIN_TYPE = 2;
export const JOIN_DEST = 3;
export const JOIN_THREAD = 4;
export const JOIN_LENGTH = 5;

export const LOCK = 48;
export const LOCK_MUTEX = 2;
export const LOCK_LENGTH = 3;

export const TRYLOCK = 49;
export const TRYLOCK_DEST = 2;
export const TRYLOCK_MUTEX = 3;
export const TRYLOCK_LENGTH = 4;

export const UNLOCK = 50;
export const UNLOCK_MUTEX = 2;
export const UNLOCK_LENGTH = 3;

export const WAIT = 51;
export const WAIT_CONDITION = 2;
export const WAIT_MUTEX = 3;
export const WAIT_LENGTH = 4;

export const SIGNAL = 52;
export const SIGNAL_CONDITION = 2;
export const SIGNAL_LENGTH = 3;

export const BROADCAST = 53;
export const BROADCAST_CONDITION = 2;
export const BROADCAST_LENGTH = 3;

export const FREE = 54;
export const FREE_KIND = 2;
export const FREE_ADDRESS = 3;
export const FREE_LENGTH = 4;

export const EXIT = 55;
export const EXIT_STATUS = 2;
export const EXIT_LENGTH = 3;

export const BEGINATOMIC = 56;
export const BEGINATOMIC_LENGTH = 2;

export const ENDATOMIC = 57;
export const ENDATOMIC_LENGTH = 2;

export const AWAIT = 58;
export const AWAIT_DEST = 2;
export const AWAIT_SUCCESS = 3;
export const AWAIT_ADDRESS = 4;
export const AWAIT_PREDICATE = 5;
export const AWAIT_BOUND = 6;
export const AWAIT_OPERATOR = 7;
export const AWAIT_VALUE = 8;
export const AWAIT_ORDER = 9;
export const AWAIT_BLOCKS = 10;
export const AWAIT_LENGTH = 11;

export const TIMEDWAIT = 59;
export const TIMEDWAIT_CONDITION = 2;
export const TIMEDWAIT_MUTEX = 3;
export const TIMEDWAIT_LENGTH = 4;

export const WAKE = 60;
export const WAKE_DEST = 2;
export const WAKE_CONDITION = 3;
export const WAKE_LENGTH = 4;

export const DESTROY = 61;
export const DESTROY_OBJECT = 2;
export const DESTROY_LENGTH = 3;

export const INIT = 62;
export const INIT_OBJECT = 2;
export const INIT_IS_NEW = 3;
export const INIT_LENGTH = 4;

export const LIFETIME = 63;
export const LIFETIME_WHAT = 2;
export const LIFETIME_ADDRESS = 3;
export const LIFETIME_SIZE = 4;
export const LIFETIME_LENGTH = 5;

export const DRAIN = 64;
export const DRAIN_DEST = 2;
export const DRAIN_RECORD = 3;
export const DRAIN_IS_FIRST = 4;
export const DRAIN_LENGTH = 5;

/** By operation: its operands, without the repeated group. */
export interface Operands {
  readonly [MOVE]: readonly [type: number, dest: number, value: number];
  readonly [BINARY]: readonly [operator: number, type: number, dest: number, left: number, right: number];
  readonly [COMPARE]: readonly [predicate: number, type: number, dest: number, left: number, right: number];
  readonly [CAST]: readonly [operator: number, from: number, to: number, dest: number, value: number];
  readonly [SELECT]: readonly [type: number, dest: number, condition: number, ifTrue: number, ifFalse: number];
  readonly [ALLOCA]: readonly [dest: number, size: number, align: number, fill: number, idle: number];
  readonly [CALL]: readonly [type: number, dest: number, callee: number, count: number];
  readonly [ASSERT]: readonly [condition: number, message: number, text: number, what: number];
  readonly [ASSUME]: readonly [condition: number];
  readonly [JUMP]: readonly [target: number];
  readonly [BRANCH]: readonly [condition: number, ifTrue: number, ifFalse: number];
  readonly [SWITCH]: readonly [type: number, value: number, otherwise: number, count: number];
  readonly [RETURN]: readonly [type: number, value: number];
  readonly [UNREACHABLE]: readonly [];
  readonly [ALLOCATE]: readonly [kind: number, dest: number, size: number, align: number, fill: number];
  readonly [PEEK]: readonly [type: number, dest: number, address: number];
  readonly [POKE]: readonly [type: number, address: number, value: number];
  readonly [THREADLOCAL]: readonly [dest: number, offset: number];
  readonly [SELF]: readonly [dest: number, what: number];
  readonly [PRINT]: readonly [dest: number, bytes: number, most: number, stop: number];
  readonly [EXITTHREAD]: readonly [type: number, value: number];
  readonly [UNARY]: readonly [operator: number, type: number, dest: number, value: number];
  readonly [LOOPENTER]: readonly [record: number, undoes: number, count: number];
  readonly [LOOPBACK]: readonly [record: number, undoes: number, count: number];
  readonly [GLANCE]: readonly [type: number, dest: number, address: number];
  readonly [DETACH]: readonly [thread: number];
  readonly [EXTENT]: readonly [dest: number, address: number];
  readonly [IDLEPOKE]: readonly [type: number, address: number, value: number];
  readonly [MARK]: readonly [name: number, value: number];
  readonly [ENDMARK]: readonly [value: number];
  readonly [ISCONSTANT]: readonly [dest: number, address: number];
  readonly [ISSTATIC]: readonly [dest: number, address: number];
  readonly [OLDERLOCAL]: readonly [dest: number, address: number];
  readonly [ENDPRINT]: readonly [count: number];
  readonly [CONVERT]: readonly [
    dest: number,
    to: number,
    room: number,
    from: number,
    kind: number,
    flags: number,
    width: number,
    precision: number,
    value: number,
  ];
  readonly [UNDEFINE]: readonly [type: number, dest: number];
  readonly [REFRESH]: readonly [address: number];
  readonly [PROGRESS]: readonly [dest: number];
  readonly [SUSPEND]: readonly [address: number, isBack: number];
  readonly [LOAD]: readonly [type: number, dest: number, address: number, order: number];
  readonly [STORE]: readonly [type: number, address: number, value: number, order: number];
  readonly [RMW]: readonly [
    operator: number,
    type: number,
    dest: number,
    address: number,
    value: number,
    order: number,
  ];
  readonly [CMPXCHG]: readonly [
    type: number,
    dest: number,
    success: number,
    address: number,
    expected: number,
    desired: number,
    order: number,
    failureOrder: number,
  ];
  readonly [FENCE]: readonly [order: number];
  readonly [CHOOSE]: readonly [type: number, dest: number, count: number];
  readonly [SPAWN]: readonly [dest: number, callee: number, count: number];
  readonly [JOIN]: readonly [type: number, dest: number, thread: number];
  readonly [LOCK]: readonly [mutex: number];
  readonly [TRYLOCK]: readonly [dest: number, mutex: number];
  readonly [UNLOCK]: readonly [mutex: number];
  readonly [WAIT]: readonly [condition: number, mutex: number];
  readonly [SIGNAL]: readonly [condition: number];
  readonly [BROADCAST]: readonly [condition: number];
  readonly [FREE]: readonly [kind: number, address: number];
  readonly [EXIT]: readonly [status: number];
  readonly [BEGINATOMIC]: readonly [];
  readonly [ENDATOMIC]: readonly [];
  readonly [AWAIT]: readonly [
    dest: number,
    success: number,
    address: number,
    predicate: number,
    bound: number,
    operator: number,
    value: number,
    order: number,
    blocks: number,
  ];
  readonly [TIMEDWAIT]: readonly [condition: number, mutex: number];
  readonly [WAKE]: readonly [dest: number, condition: number];
  readonly [DESTROY]: readonly [object: number];
  readonly [INIT]: readonly [object: number, isNew: number];
  readonly [LIFETIME]: readonly [what: number, address: number, size: number];
  readonly [DRAIN]: readonly [dest: number, record: number, isFirst: number];
}
