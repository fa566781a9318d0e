// What the author cannot change. A name that ends with a dot stands for all texts below it.

const fixed: Record<string, readonly string[]> = {
  'buyers consent by these words, and the shop keeps them as evidence.': [
    'buying.beforeYouBuy',
    'buying.deliveredAtOnce',
    'buying.partDeliveredAtOnce',
    'buying.tickBox',
    'buying.agree',
    'emails.receipt.agreed',
    'receipt.agreed',
    'refusals.purchases.consent_needed',
    'site.beforeYouBuy',
  ],
  'they say what becomes of the buyer’s money.': [
    'dashboard.accessEnds',
    'dashboard.confirmWithdrawal',
    'dashboard.getMoneyBack',
    'dashboard.goingBack',
    'dashboard.partiallyRefunded',
    'dashboard.received.',
    'dashboard.refund',
    'dashboard.refundAfterReturn',
    'dashboard.refundAsked.',
    'dashboard.refundGoesBack',
    'dashboard.refundProduct',
    'dashboard.refundQuestion',
    'dashboard.refunded',
    'dashboard.refundedAsWanted',
    'dashboard.refused',
    'dashboard.restOfPayment',
    'dashboard.stuck',
    'dashboard.waitsFor.',
    'dashboard.withdrawProduct',
    'dashboard.withdrawQuestion',
    'dashboard.withdrawing',
    'emails.refund.',
    'emails.withdrawal.',
    'emails.withdrawalDeclared.',
    'emails.withdrawalRefused.',
    'guest.ended',
    'guest.endedText',
    'guest.filesEnded',
    'receipt.adjustments.',
    'receipt.keptByShop',
    'refusals.purchases.not_refundable',
    'responses.refundRefused',
    'site.withdraw',
    'statuses.',
    'withdraw.',
  ],
  'the refund that the shop promises is a part of the contract.': [
    'emails.receipt.guarantee',
    'receipt.guarantee',
    'refunds.',
  ],
  'whether money was taken has to be said as it is.': [
    'emails.receipt.noPayment',
    'emails.receipt.testMode',
    'receipt.noPayment',
    'receipt.testMode',
    'refusals.discounts.paused',
    'refusals.discounts.used_up',
    'refusals.payments.refused',
    'refusals.shipments.price_changed',
    'refusals.stock.sold_out',
    'responses.notChecked',
    'site.testMode',
    'site.testModeNotice',
  ],
}

export const fixedNames = Object.values(fixed).flat()

/** Why the author cannot change the text. */
export function fixedReason(key: string): string | undefined {
  return Object.entries(fixed).find(([, names]) => names.some((name) => isBelow(key, name)))?.[0]
}

function isBelow(key: string, name: string): boolean {
  return name.endsWith('.') ? key.startsWith(name) : key === name
}
