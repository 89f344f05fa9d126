/** A list of distinct events. A short list is searched for duplicates; a long one marks its events. */
import { IntVector, larger } from '../util/int-vector.ts';

/** From this many events on, they are marked. */
const MANY = 16;

export class DistinctEvents extends IntVector {
  /** By event: `mark` if it is in the list. */
  private marks = new Int32Array(64);
  private mark = 0;

  add(event: number): void {
    if (this.length >= MANY) return this.addToMany(event);
    for (let i = 0; i < this.length; i++) if (this.words[i] === event) return;
    this.push(event);
  }

  private addToMany(event: number): void {
    if (this.length === MANY) {
      this.mark++;
      for (let i = 0; i < MANY; i++) this.setMark(this.words[i]!);
    }
    if (this.marks[event] === this.mark) return;
    this.setMark(event);
    this.push(event);
  }

  private setMark(event: number): void {
    while (this.marks.length <= event) this.marks = larger(this.marks);
    this.marks[event] = this.mark;
  }
}
