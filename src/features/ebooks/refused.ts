// Why the thread that reads uploads refuses one. The main thread makes a Problem of it.
import type { ProblemCode } from '../../problems.ts'

export type RefusalCode = Extract<ProblemCode, 'uploads.not_an_ebook' | 'uploads.too_complex'>

export class Refused extends Error {
  readonly code: RefusalCode
  readonly detail: string | undefined

  constructor(code: RefusalCode, detail?: string) {
    super(detail ?? code)
    this.code = code
    this.detail = detail
  }
}

/** `what` is a sentence about the file; what to do about it follows. */
export function tooComplex(what: string): Refused {
  return new Refused('uploads.too_complex', `${what} Please export the book again and upload the new file.`)
}

/** A name from the file, fit for a sentence: cut off, and without what cannot be shown or stored. */
export function quoted(name: string): string {
  return `“${name.slice(0, 100).toWellFormed().replaceAll(/\p{C}/gu, '\uFFFD')}”`
}
