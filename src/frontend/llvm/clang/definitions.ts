/** The names that a module defines, found without parsing it, which would take a thousand times as long. */
export function definitions(ir: string): readonly string[] {
  const functions = ir.matchAll(/^define [^@\n]*@([\w.$]+)\(/gm);
  const globals = ir.matchAll(/^@([\w.$]+) = (?!external)[^\n]*\b(?:global|constant) /gm);
  return [...functions, ...globals].map((match) => match[1]!);
}
