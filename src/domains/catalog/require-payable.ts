import { isPayable, withoutDecimals, type Cents } from '#contract/money.ts'
import { Problem } from '../../problems.ts'

export function requirePayable(field: string, amount: Cents, currency: string): void {
  if (isPayable(amount, currency)) return
  throw new Problem('request.invalid', { fields: { [field]: withoutDecimals(currency) } })
}
