/**
 * Turns one thread of a test in C into a function, while reading it. Its variables are ints; its parameters are
 * pointers to locations.
 *
 *   statement = type name [ "=" expression ] ";"  |  name "=" expression ";"  |  "*" pointer "=" expression ";"
 *             | call ";"  |  "if" "(" expression ")" statement [ "else" statement ]  |  "{" statement … "}"  |  ";"
 */
import type { FunctionBuilder } from '../../program/builder.ts';
import type { Dest } from '../../program/ir.ts';
import type { CThreadSyntax } from './ast.ts';
import { CExpression } from './c-expression.ts';
import { CLexer } from './c-lexer.ts';
import { sizeOfCType } from './c-types.ts';
import type { Layout } from './layout.ts';
import type { Source } from './source.ts';

/** The grammar is recursive; this bound keeps it from overflowing the stack. */
const MAX_DEPTH = 200;

export class CThread {
  readonly frame: { whole(family: string): Dest };
  private readonly source: Source;
  private readonly func: FunctionBuilder;
  private readonly lexer: CLexer;
  private readonly variables: Map<string, Dest> = new Map();
  private readonly expression: CExpression;
  private depth = 0;

  constructor(source: Source, layout: Layout, func: FunctionBuilder, { parameters, body }: CThreadSyntax) {
    this.source = source;
    this.func = func;
    this.lexer = new CLexer(source, body);
    this.frame = { whole: (name) => this.variables.get(name)! };
    const pointers = new Map(parameters.map(({ name, order }) => [name, order]));
    this.expression = new CExpression(this.lexer, func, layout, pointers, this.variables);
  }

  get names(): ReadonlySet<string> {
    return new Set(this.variables.keys());
  }

  lower(): void {
    while (!this.lexer.is('}')) this.statement();
    this.func.location = undefined;
    this.func.return();
  }

  private statement(): void {
    const { lexer, func, expression } = this;
    const start = lexer.peek();
    const end = this.source.text.slice(start.at).search(/[;{}]/);
    func.location = this.source.locate(start.at, this.source.quote(start.at, start.at + Math.max(0, end)));
    if (lexer.accept(';')) return;
    if (++this.depth > MAX_DEPTH) lexer.fail('less nesting', start);
    if (lexer.accept('{')) while (!lexer.accept('}')) this.statement();
    else if (lexer.accept('if')) this.branch();
    else {
      if (lexer.is('*')) expression.storeThrough();
      else if (lexer.is('=', 1)) this.assign(lexer.next().text, start);
      else if (lexer.peek(1).kind === 'name') this.declare();
      else if (lexer.is('(', 1)) expression.call(true);
      else lexer.fail('a statement: a declaration, an assignment, a call or an if', start);
      lexer.expect(';');
    }
    this.depth--;
  }

  private declare(): void {
    const { lexer, func } = this;
    const start = lexer.peek();
    const words: string[] = [];
    while (lexer.peek(1).kind === 'name') words.push(lexer.next().text);
    if (sizeOfCType('C', words) !== 4) lexer.fail('the type int', start);
    const name = lexer.expectName('the name of a variable');
    if (this.variables.has(name.text) || this.expression.isPointer(name.text)) lexer.fail('another name', name);
    this.variables.set(name.text, func.register(name.text, 'i32'));
    if (!lexer.accept('=')) return;
    func.move(this.variables.get(name.text)!, this.expression.value());
  }

  private assign(name: string, at: { readonly at: number; readonly text: string }): void {
    const variable = this.variables.get(name);
    if (variable === undefined) return this.lexer.fail('a variable that is declared above', at);
    this.lexer.expect('=');
    this.func.move(variable, this.expression.value());
  }

  private branch(): void {
    const { lexer, func, expression } = this;
    lexer.expect('(');
    const condition = expression.truth(expression.value());
    lexer.expect(')');
    const [yes, no, end] = [func.block('then'), func.block('else'), func.block('end')];
    func.branch(condition, yes, no);
    func.startBlock(yes);
    this.statement();
    func.jump(end);
    func.startBlock(no);
    if (lexer.accept('else')) this.statement();
    func.jump(end);
    func.startBlock(end);
  }
}
