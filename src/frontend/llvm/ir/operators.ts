/** Words of LLVM IR that occur both as instructions and in constant expressions, and words that have no effect. */

export const BINARY: ReadonlySet<string> = new Set(
  'add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem'.split(' '),
);

export const CASTS: ReadonlySet<string> = new Set(
  (
    'trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ' + 'ptrtoint ptrtoaddr inttoptr bitcast addrspacecast'
  ).split(' '),
);

/** Promises about operands; the result is poison if they are broken. We ignore them. */
export const FLAGS: ReadonlySet<string> = new Set(
  ('nuw nsw nusw exact disjoint nneg samesign inbounds ' + 'fast nnan ninf nsz arcp contract afn reassoc').split(' '),
);

/** Words that begin a value; every other word before a value is an attribute. */
export const VALUE_WORDS: ReadonlySet<string> = new Set([
  ...BINARY,
  ...CASTS,
  ...(
    'null none true false undef poison zeroinitializer splat asm blockaddress dso_local_equivalent no_cfi ' +
    'getelementptr icmp fcmp select fneg extractelement insertelement shufflevector extractvalue insertvalue ptrauth'
  ).split(' '),
]);
