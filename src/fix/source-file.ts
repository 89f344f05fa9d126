/** A file of the user's, as far as fixes need it. */
import type { Location } from '../program/location.ts';
import { findStatements, type Statements } from './statements.ts';
import { lineAndColumn, type TextEdit } from './text.ts';

export class SourceFile {
  /** As locations name it. */
  readonly name: string;
  /** Latin-1: a character is a byte. */
  readonly text: string;
  readonly statements: Statements;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
    this.statements = findStatements(text);
  }

  locate(offset: number): Location {
    return { file: this.name, ...lineAndColumn(this.text, offset) };
  }

  get newline(): string {
    return this.text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** Whether C11's names can be expected to be known. */
  get knowsC11(): boolean {
    return /\b(?:atomic_\w+|memory_order_\w+|_Atomic)\b/.test(this.text);
  }
}

/** What is to be done to each file. */
export type FileEdits = ReadonlyMap<SourceFile, readonly TextEdit[]>;
