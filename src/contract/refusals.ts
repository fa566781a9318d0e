// All refusals by code: for the browser, which reads the codes, and for tests.
import { mailRefusals } from './mail/refusals.ts'
import { accountRefusals } from './accounts/refusals.ts'
import { fileRefusals } from './files/refusals.ts'
import { catalogRefusals } from './catalog/refusals.ts'
import { bookRefusals } from './book/refusals.ts'
import { orderRefusals } from './orders/refusals.ts'
import { deliveryRefusals } from './delivery/refusals.ts'
import { paymentRefusals } from './payments/refusals.ts'
import { readerRefusals } from './readers/refusals.ts'
import { operationRefusals } from './operations/refusals.ts'
import { platformRefusals, type Refusals } from './problems.ts'

const refusals = {
  ...platformRefusals,
  ...mailRefusals,
  ...accountRefusals,
  ...fileRefusals,
  ...catalogRefusals,
  ...bookRefusals,
  ...orderRefusals,
  ...deliveryRefusals,
  ...paymentRefusals,
  ...readerRefusals,
  ...operationRefusals,
} satisfies Refusals

export type ProblemCode = keyof typeof refusals

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(refusals, code)

export const problemCodes = Object.keys(refusals).filter(isProblemCode)

export function problemStatus(code: ProblemCode): number {
  return refusals[code][0]
}

export function problemDetail(code: ProblemCode): string {
  return refusals[code][1]
}
