import { accountRefusals } from '#contract/accounts/accounts-refusals.ts'
import { backupRefusals } from '#contract/operations/backup-refusals.ts'
import { bookRefusals } from '#contract/book/book-refusals.ts'
import { discountRefusals } from '#contract/orders/discounts-refusals.ts'
import { downloadRefusals } from '#contract/delivery/downloads-refusals.ts'
import { ebookRefusals } from '#contract/files/ebooks-refusals.ts'
import { editionRefusals } from '#contract/delivery/editions-refusals.ts'
import { guestCheckoutRefusals } from '#contract/orders/guest-checkout-refusals.ts'
import { mailSetupRefusals } from '#contract/mail/mail-setup-refusals.ts'
import { erasureRefusals } from '#contract/operations/erasures-refusals.ts'
import { giftRefusals } from '#contract/delivery/gifts-refusals.ts'
import { mailRefusals } from '#contract/mail/mails-refusals.ts'
import { messageRefusals } from '#contract/readers/messages-refusals.ts'
import { paymentRefusals } from '#contract/payments/payments-refusals.ts'
import { pictureRefusals } from '#contract/files/pictures-refusals.ts'
import { productRefusals } from '#contract/catalog/products-refusals.ts'
import { purchaseRefusals } from '#contract/orders/purchases-refusals.ts'
import { purchaseGiftRefusals } from '#contract/delivery/purchase-gifts-refusals.ts'
import { releaseRefusals } from '#contract/delivery/releases-refusals.ts'
import { purchaseMoveRefusals } from '#contract/readers/purchase-moves-refusals.ts'
import { paymentSetupRefusals } from '#contract/operations/payment-setup-refusals.ts'
import { settingsRefusals } from '#contract/operations/settings-refusals.ts'
import { setupRefusals } from '#contract/operations/setup-refusals.ts'
import { shippingRefusals } from '#contract/orders/shipping-refusals.ts'
import { stockRefusals } from '#contract/catalog/stock-refusals.ts'
import { userRefusals } from '#contract/accounts/users-refusals.ts'
import { withdrawalRefusals } from '#contract/orders/withdrawals-refusals.ts'
import { platformRefusals, type Refusals } from '#contract/problems.ts'
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
