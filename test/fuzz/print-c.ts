/** Generated programs as C: several in one file, each with its own entry and names. */
import { bitWithin, givesOld, printCompareExchange, printLocked, printPlain, takesBit } from './assembly.ts';
import {
  type Body,
  type FuzzProgram,
  type How,
  MUTEXES,
  type Place,
  REGISTERS,
  type Statement,
  UNIONS,
  unknown,
  type Value,
  type Wait,
} from './ast.ts';

export const PRELUDE = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <fencepost.h>
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
union shared { unsigned long long d[1]; unsigned w[2]; unsigned short h[4]; unsigned char b[8]; };
void missing(void);
static struct timespec soon;
static unsigned result(unsigned long long a, unsigned long long b, unsigned long long c) {
  return ((unsigned)(a ^ a >> 32) * 31u + (unsigned)(b ^ b >> 32)) * 31u + (unsigned)(c ^ c >> 32);
}
`;

export interface PrintOptions {
  /** With an unreachable call of an undefined function. */
  readonly undefinedCall?: boolean;
  /** Registers of threads have no initial value. */
  readonly uninitialised?: boolean;
}

/** `name` is the entry, and the prefix of all names. */
export function printProgram(program: FuzzProgram, name: string, options: PrintOptions = {}): string {
  return new Printer(program, name, options).print();
}

/** As a separate file, with `main`. */
export function printFile(program: FuzzProgram, options: PrintOptions = {}): string {
  return `${PRELUDE}\n${printProgram(program, 'main', options)}`;
}

/** A value that no register ever has: programs count in small steps from a few constants. */
const NEVER = '0x5a17c3e95b0d7f21ull';

const TYPES = { 1: 'unsigned char', 2: 'unsigned short', 4: 'unsigned', 8: 'unsigned long long' } as const;
const FIELDS = { 1: 'b', 2: 'h', 4: 'w', 8: 'd' } as const;

function order(how: How): string {
  return `__ATOMIC_${how.toUpperCase()}`;
}

class Printer {
  private readonly program: FuzzProgram;
  private readonly name: string;
  private readonly options: PrintOptions;
  private indent = 1;
  private lines: string[] = [];
  private isMain = false;
  private thread = 0;

  constructor(program: FuzzProgram, name: string, options: PrintOptions) {
    this.program = program;
    this.name = name;
    this.options = options;
  }

  private own(what: string): string {
    return this.name === 'main' ? what : `${this.name}_${what}`;
  }

  print(): string {
    const { program } = this;
    const text = JSON.stringify(program);
    const has = (op: string): boolean => text.includes(`"op":"${op}"`);
    const declare = (what: string): number => this.lines.push(`static ${what};`);
    for (let i = 0; i < UNIONS; i++) declare(`union shared ${this.own(`u${i}`)}`);
    if (has('locked') || has('await') || has('unlock') || has('notify'))
      for (let i = 0; i < MUTEXES; i++) declare(`pthread_mutex_t ${this.own(`m${i}`)}`);
    if (has('await') || has('notify')) for (let i = 0; i < MUTEXES; i++) declare(`pthread_cond_t ${this.own(`c${i}`)}`);
    if (has('rwlocked')) declare(`pthread_rwlock_t ${this.own('rw')}`);
    const usesSemaphore = has('post') || has('down') || has('tryDown');
    if (usesSemaphore) declare(`sem_t ${this.own('sem')}`);
    if (has('barrier')) declare(`pthread_barrier_t ${this.own('bar')}`);
    if (has('spinLocked')) declare(`pthread_spinlock_t ${this.own('spin')}`);
    if (has('tls')) declare(`__thread unsigned ${this.own('tl')} = 5`);
    const usesPointer = has('malloc') || has('free') || has('escape') || has('usePointer');
    if (usesPointer) declare(`unsigned *${this.own('gp')}`);
    if (has('once')) {
      declare(`pthread_once_t ${this.own('once')} = PTHREAD_ONCE_INIT`);
      this.lines.push(`static void ${this.own('init')}(void) {`);
      this.body(program.once);
      this.lines.push('}');
    }
    for (let t = 1; t < program.threads.length; t++) this.lines.push(`static void *${this.own(`t${t}`)}(void *);`);
    for (let t = 1; t < program.threads.length; t++) this.function(t, `static void *${this.own(`t${t}`)}(void *_)`, '');
    const inits: string[] = [];
    if (usesSemaphore) inits.push(`sem_init(&${this.own('sem')}, 0, ${program.semaphore});`);
    if (has('barrier')) inits.push(`pthread_barrier_init(&${this.own('bar')}, 0, ${program.round});`);
    if (has('spinLocked')) inits.push(`pthread_spin_init(&${this.own('spin')}, 0);`);
    this.function(0, `int ${this.name}(void)`, inits.join(' '));
    return `${this.lines.join('\n')}\n`;
  }

  private function(thread: number, head: string, start: string): void {
    this.isMain = thread === 0;
    this.thread = thread;
    const body = this.program.threads[thread]!;
    this.lines.push(`${head} {`);
    const registers = Array.from({ length: REGISTERS }, (_, r) =>
      this.options.uninitialised === true ? `r${r}` : `r${r} = 0`,
    );
    this.line(`unsigned long long ${registers.join(', ')};`);
    const handles = body.flatMap((s) => (s.op === 'create' ? [`h${s.thread}`] : []));
    if (handles.length > 0) this.line(`pthread_t ${handles.join(', ')};`);
    if (body.some((s) => s.op === 'escape'))
      this.line('unsigned local[2]; /* zero, like all memory; an initialiser would be a store that others can miss */');
    if (start !== '') this.line(start);
    this.body(body);
    if (this.options.undefinedCall === true) this.line(`if (r0 == ${NEVER}) missing();`);
    this.line(`return ${this.result()};`);
    this.lines.push('}');
  }

  /** All registers in one number, which shows what the thread has seen. */
  private result(): string {
    const text = `result(${Array.from({ length: REGISTERS }, (_, r) => `r${r}`).join(', ')})`;
    return this.isMain ? `(int)${text}` : `(void *)${text}`;
  }

  private line(text: string): void {
    this.lines.push(`${'  '.repeat(this.indent)}${text}`);
  }

  private block(head: string, body: Body, tail: string = '}'): void {
    this.line(`${head}{`);
    this.indent++;
    this.body(body);
    this.indent--;
    this.line(tail);
  }

  private body(body: Body): void {
    for (const statement of body) this.statement(statement);
  }

  private place({ union, offset, size }: Place): string {
    const name = this.own(`u${union}`);
    if (offset % size === 0) return `${name}.${FIELDS[size]}[${offset / size}]`;
    return `*(${TYPES[size]} *)&${name}.b[${offset}]`;
  }

  private volatile({ union, offset, size }: Place): string {
    return `*(volatile ${TYPES[size]} *)&${this.own(`u${union}`)}.b[${offset}]`;
  }

  private loadOf(place: Place, how: How): string {
    if (how === 'plain') return this.place(place);
    if (how === 'volatile') return this.volatile(place);
    return `__atomic_load_n(&${this.place(place)}, ${order(how)})`;
  }

  private storeTo(place: Place, how: How, value: string): string {
    if (how === 'plain') return `${this.place(place)} = ${value};`;
    if (how === 'volatile') return `${this.volatile(place)} = ${value};`;
    return `__atomic_store_n(&${this.place(place)}, ${value}, ${order(how)});`;
  }

  private value({ reg, low, high }: Value, { size }: Place): string {
    const constant = `0x${((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString(16)}ull`;
    return `(${TYPES[size]})(${reg < 0 ? constant : `r${reg} + ${constant}`})`;
  }

  private cas(place: Place, weak: boolean, success: How, failure: How, desired: string): string {
    return `__atomic_compare_exchange_n(&${this.place(place)}, &e, ${desired}, ${weak ? 1 : 0}, ${order(success)}, ${order(failure)})`;
  }

  private statement(s: Statement): void {
    const m = 'mutex' in s ? `&${this.own(`m${s.mutex}`)}` : '';
    switch (s.op) {
      case 'load':
        return this.line(`r${s.to} = ${this.loadOf(s.place, s.how)};`);
      case 'store':
        return this.line(this.storeTo(s.place, s.how, this.value(s.value, s.place)));
      case 'rmw': {
        const to = s.to < 0 ? '' : `r${s.to} = `;
        const call = s.operator === 'xchg' ? '__atomic_exchange_n' : `__atomic_fetch_${s.operator}`;
        return this.line(`${to}${call}(&${this.place(s.place)}, ${this.value(s.value, s.place)}, ${order(s.order)});`);
      }
      case 'cas': {
        const cas = this.cas(s.place, s.weak, s.order, s.failure, this.value(s.desired, s.place));
        const type = TYPES[s.place.size];
        return this.line(`{ ${type} e = ${this.value(s.expected, s.place)}; r${s.ok} = ${cas}; r${s.old} = e; }`);
      }
      case 'casLoop': {
        const type = TYPES[s.place.size];
        const cas = this.cas(s.place, s.weak, s.order, s.failure, `(${type})(e + ${s.add})`);
        return this.line(`{ ${type} e = 0; while (!${cas}); r${s.to} = e; }`);
      }
      case 'fence':
        return this.line(`__atomic_thread_fence(${order(s.order)});`);
      case 'asm':
        return this.line(`__asm__ volatile("${s.text}" ::: "memory");`);
      case 'asmKeep':
        if (s.form === 'swapped')
          return this.line(
            `__asm__ volatile("" : "=r"(r${s.from}), "=r"(r${s.to}) : "1"(r${s.from}), "0"(r${s.to}) : "memory");`,
          );
        if (s.form === 'tied') return this.line(`__asm__ volatile("" : "=r"(r${s.to}) : "0"(r${s.from}));`);
        return this.line(`__asm__ volatile("" : "+${s.form === 'local' ? 'm' : 'r'}"(r${s.to}) : : "memory");`);
      case 'asmTouch': {
        const kind = s.form === 'memory' ? 'm' : s.place.size === 1 ? 'q' : 'r';
        return this.line(`__asm__ volatile("" : "+${kind}"(${this.place(s.place)}) : : "memory");`);
      }
      case 'asmLocked': {
        const type = TYPES[s.place.size];
        const value = this.value(takesBit(s.operator) ? bitWithin(s.value, s.place) : s.value, s.place);
        const gives = givesOld(s.operator);
        const zero = s.zero < 0 ? '' : 'z';
        const text = printLocked(s.operator, this.place(s.place), s.place, s.spelling, value, zero);
        const before = `${gives ? `${type} v = ${value}; ` : ''}${s.zero < 0 ? '' : 'unsigned char z; '}`;
        const after = `${gives && s.to >= 0 ? ` r${s.to} = v;` : ''}${s.zero < 0 ? '' : ` r${s.zero} = z;`}`;
        return this.line(`{ ${before}${text}${after} }`);
      }
      case 'asmPlain': {
        const text = printPlain(s.operator, this.place(s.place), s.place, s.spelling);
        const after = s.operator === 'load' || s.operator === 'xadd' ? ` r${s.to} = v;` : '';
        return this.line(`{ ${TYPES[s.place.size]} v = ${this.value(s.value, s.place)}; ${text}${after} }`);
      }
      case 'asmCas': {
        const text = printCompareExchange(this.place(s.place), s.place, s.spelling, this.value(s.desired, s.place));
        const before = `${TYPES[s.place.size]} e = ${this.value(s.expected, s.place)}; unsigned char z;`;
        return this.line(`{ ${before} ${text} r${s.ok} = z; r${s.old} = e; }`);
      }
      case 'locked': {
        if (s.how === 'lock') {
          this.line(`pthread_mutex_lock(${m});`);
          this.line(`r${s.to} = 1;`);
          this.body(s.body);
          return this.line(`pthread_mutex_unlock(${m});`);
        }
        const call = s.how === 'trylock' ? `pthread_mutex_trylock(${m})` : `pthread_mutex_timedlock(${m}, &soon)`;
        this.line(`r${s.to} = !${call};`);
        this.line(`if (r${s.to}) {`);
        this.indent++;
        this.body(s.body);
        this.line(`pthread_mutex_unlock(${m});`);
        this.indent--;
        return this.line('}');
      }
      case 'unlock':
        return this.line(`pthread_mutex_unlock(${m});`);
      case 'await': {
        const c = `&${this.own(`c${s.mutex}`)}`;
        this.line(`pthread_mutex_lock(${m});`);
        if (s.timed)
          this.line(`if (!${this.place(s.place)}) r${s.to} = pthread_cond_timedwait(${c}, ${m}, &soon) != 0;`);
        else this.line(`while (!${this.place(s.place)}) pthread_cond_wait(${c}, ${m});`);
        this.body(s.body);
        return this.line(`pthread_mutex_unlock(${m});`);
      }
      case 'notify': {
        const c = `&${this.own(`c${s.mutex}`)}`;
        if (s.locked) this.line(`pthread_mutex_lock(${m});`);
        this.line(`${this.place(s.place)} = 1;`);
        this.line(`pthread_cond_${s.all ? 'broadcast' : 'signal'}(${c});`);
        if (s.locked) this.line(`pthread_mutex_unlock(${m});`);
        return;
      }
      case 'rwlocked': {
        const lock = `&${this.own('rw')}`;
        const kind = s.writes ? 'wrlock' : 'rdlock';
        if (s.call === 'try') this.line(`r${s.to} = !pthread_rwlock_try${kind}(${lock});`);
        else if (s.call === 'clock')
          this.line(`r${s.to} = !pthread_rwlock_clock${kind}(${lock}, CLOCK_MONOTONIC, &soon);`);
        else this.line(`pthread_rwlock_${kind}(${lock}); r${s.to} = 1;`);
        this.line(`if (r${s.to}) {`);
        this.indent++;
        this.body(s.body);
        this.line(`pthread_rwlock_unlock(${lock});`);
        this.indent--;
        return this.line('}');
      }
      case 'post':
        return this.line(`sem_post(&${this.own('sem')});`);
      case 'down':
        return this.line(`sem_wait(&${this.own('sem')});`);
      case 'tryDown':
        return this.line(`r${s.to} = !sem_trywait(&${this.own('sem')});`);
      case 'barrier':
        return this.line(`r${s.to} = pthread_barrier_wait(&${this.own('bar')}) != 0;`);
      case 'spinLocked': {
        const lock = `&${this.own('spin')}`;
        if (s.tries) this.line(`r${s.to} = !pthread_spin_trylock(${lock});`);
        else this.line(`pthread_spin_lock(${lock}); r${s.to} = 1;`);
        this.line(`if (r${s.to}) {`);
        this.indent++;
        this.body(s.body);
        this.line(`pthread_spin_unlock(${lock});`);
        this.indent--;
        return this.line('}');
      }
      case 'once':
        return this.line(`pthread_once(&${this.own('once')}, ${this.own('init')});`);
      case 'create':
        return this.line(`pthread_create(&h${s.thread}, 0, ${this.own(`t${s.thread}`)}, 0);`);
      case 'join':
        if (s.to < 0) return this.line(`pthread_join(h${s.thread}, 0);`);
        return this.line(`{ void *v; pthread_join(h${s.thread}, &v); r${s.to} = (unsigned)v; }`);
      case 'detach':
        return this.line(`pthread_detach(${s.thread === this.thread ? 'pthread_self()' : `h${s.thread}`});`);
      case 'end':
        if (s.how === 'exit') return this.line(`exit(${this.isMain ? '' : '(int)'}${this.result()});`);
        if (s.how === 'abort') return this.line('abort();');
        if (s.how === 'return') return this.line(`return ${this.result()};`);
        return this.line(`pthread_exit(${this.isMain ? '(void *)' : ''}${this.result()});`);
      case 'assert':
        return this.line(`assert(r${s.reg} != ${s.not});`);
      case 'assume':
        return this.line(`__VERIFIER_assume(r${s.reg} != ${s.not});`);
      case 'tls':
        return this.line(`${this.own('tl')} += ${s.add}; r${s.to} = ${this.own('tl')};`);
      case 'malloc':
        return this.line(this.pointerStore(s.how, 'malloc(8)'));
      case 'escape':
        return this.line(this.pointerStore(s.how, 'local'));
      case 'free': {
        const gp = this.own('gp');
        return this.line(`{ unsigned *q = ${gp}; ${s.checked ? 'if (q) ' : ''}free(q); }`);
      }
      case 'usePointer': {
        const access = s.writes ? this.throughStore(s.how, s.value) : `r${s.to} = ${this.throughLoad(s.how)};`;
        return this.line(`{ unsigned *q = ${this.own('gp')}; ${s.checked ? 'if (q) ' : ''}${access} }`);
      }
      case 'validated': {
        const loaded = this.loadOf(s.place, s.how);
        this.line(`{ ${TYPES[s.place.size]} e;`);
        this.line(`do { e = ${loaded};`);
        this.body(s.body);
        return this.line(`} while (${loaded} != e); r${s.to} = e; }`);
      }
      case 'wait': {
        const condition = this.condition(s.wait);
        if (s.form === 'do') return this.block('do ', s.body, `} while (${condition});`);
        return s.body.length === 0 ? this.line(`while (${condition});`) : this.block(`while (${condition}) `, s.body);
      }
      case 'if':
        this.block(`if (r${s.reg} == ${s.equals}) `, s.yes);
        if (s.no.length > 0) this.block('else ', s.no);
        return;
      case 'choose':
        return this.line(`r${s.to} = ${s.count === 2 ? '__VERIFIER_nondet_bool()' : `fencepost_choose(${s.count})`};`);
      case 'section':
        this.line('__VERIFIER_atomic_begin();');
        this.body(s.body);
        return this.line('__VERIFIER_atomic_end();');
      case 'repeat':
        return this.block('for (int i = 0; i < 2; i++) ', s.body);
      default:
        return unknown(s);
    }
  }

  private pointerStore(how: How, value: string): string {
    const gp = this.own('gp');
    if (how === 'plain') return `${gp} = ${value};`;
    if (how === 'volatile') return `*(unsigned *volatile *)&${gp} = ${value};`;
    return `__atomic_store_n(&${gp}, ${value}, ${order(how)});`;
  }

  private throughStore(how: How, value: number): string {
    if (how === 'plain') return `*q = ${value};`;
    if (how === 'volatile') return `*(volatile unsigned *)q = ${value};`;
    return `__atomic_store_n(q, ${value}, ${order(how)});`;
  }

  private throughLoad(how: How): string {
    if (how === 'plain') return '*q';
    if (how === 'volatile') return '*(volatile unsigned *)q';
    return `__atomic_load_n(q, ${order(how)})`;
  }

  private condition(wait: Wait): string {
    switch (wait.kind) {
      case 'zero':
        return `!${this.loadOf(wait.place, wait.how)}`;
      case 'either':
      case 'both': {
        const operator = wait.kind === 'either' ? '||' : '&&';
        return `!${this.loadOf(wait.first, wait.how)} ${operator} !${this.loadOf(wait.second, wait.how)}`;
      }
      case 'exchange':
        return `__atomic_exchange_n(&${this.place(wait.place)}, 1, ${order(wait.order)})`;
      case 'cas': {
        const cas = this.cas(wait.place, wait.weak, wait.order, wait.failure, '1');
        return `({ ${TYPES[wait.place.size]} e = 0; !${cas}; })`;
      }
      default:
        return unknown(wait);
    }
  }
}
