import { isPayable, withoutDecimals, type Cents } from '#contract/money.ts'
import { platformProblem } from '#platform/problem.ts'

export function requirePayable(field: string, amount: Cents, currency: string): void {
  if (isPayable(amount, currency)) return
  throw platformProblem('request.invalid', { fields: { [field]: withoutDecimals(currency) } })
}
