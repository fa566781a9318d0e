import { accountRefusals } from '#features/accounts/contract/refusals.ts'
import { backupRefusals } from '#features/backup/contract/refusals.ts'
import { bookRefusals } from '#features/book/contract/refusals.ts'
import { discountRefusals } from '#features/discounts/contract/refusals.ts'
import { downloadRefusals } from '#features/downloads/contract/refusals.ts'
import { ebookRefusals } from '#features/ebooks/contract/refusals.ts'
import { editionRefusals } from '#features/editions/contract/refusals.ts'
import { guestCheckoutRefusals } from '#features/guest-checkout/contract/refusals.ts'
import { mailSetupRefusals } from '#features/mail-setup/contract/refusals.ts'
import { erasureRefusals } from '#features/erasures/contract/refusals.ts'
import { giftRefusals } from '#features/gifts/contract/refusals.ts'
import { mailRefusals } from '#features/mails/contract/refusals.ts'
import { messageRefusals } from '#features/messages/contract/refusals.ts'
import { paymentRefusals } from '#features/payments/contract/refusals.ts'
import { pictureRefusals } from '#features/pictures/contract/refusals.ts'
import { productRefusals } from '#features/products/contract/refusals.ts'
import { purchaseRefusals } from '#features/purchases/contract/refusals.ts'
import { purchaseGiftRefusals } from '#features/purchase-gifts/contract/refusals.ts'
import { releaseRefusals } from '#features/releases/contract/refusals.ts'
import { purchaseMoveRefusals } from '#features/purchase-moves/contract/refusals.ts'
import { paymentSetupRefusals } from '#features/payment-setup/contract/refusals.ts'
import { settingsRefusals } from '#features/settings/contract/refusals.ts'
import { setupRefusals } from '#features/setup/contract/refusals.ts'
import { shippingRefusals } from '#features/shipping/contract/refusals.ts'
import { stockRefusals } from '#features/stock/contract/refusals.ts'
import { userRefusals } from '#features/users/contract/refusals.ts'
import { withdrawalRefusals } from '#features/withdrawals/contract/refusals.ts'
import { platformRefusals, type Refusals } from '#platform/contract/problems.ts'
import { Refusal, type RefusalDetails } from '#platform/refusal.ts'

const refusals = {
  ...platformRefusals,
  ...accountRefusals,
  ...backupRefusals,
  ...bookRefusals,
  ...discountRefusals,
  ...downloadRefusals,
  ...ebookRefusals,
  ...editionRefusals,
  ...erasureRefusals,
  ...mailSetupRefusals,
  ...giftRefusals,
  ...guestCheckoutRefusals,
  ...mailRefusals,
  ...messageRefusals,
  ...paymentRefusals,
  ...pictureRefusals,
  ...productRefusals,
  ...purchaseGiftRefusals,
  ...purchaseMoveRefusals,
  ...releaseRefusals,
  ...purchaseRefusals,
  ...paymentSetupRefusals,
  ...settingsRefusals,
  ...setupRefusals,
  ...shippingRefusals,
  ...stockRefusals,
  ...userRefusals,
  ...withdrawalRefusals,
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

export class Problem extends Refusal {
  declare readonly code: ProblemCode

  constructor(code: ProblemCode, details?: RefusalDetails) {
    super(code, refusals[code], details)
    this.name = 'Problem'
  }
}
