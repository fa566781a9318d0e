import type { ProblemCode } from '#contract/refusals.ts'

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

export function notAnEbook(detail?: string): Refused {
  return new Refused('uploads.not_an_ebook', detail)
}

export function tooComplex(finding: string): Refused {
  return new Refused(
    'uploads.too_complex',
    `${finding} Please export the book again and upload the new file.`,
  )
}

export function quoted(name: string): string {
  return `“${name.slice(0, 100).toWellFormed().replaceAll(/\p{C}/gu, '\uFFFD')}”`
}
