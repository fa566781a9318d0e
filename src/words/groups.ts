// All texts that visitors, readers and the receivers of emails see.
import { accountTexts } from './account.ts'
import { accountEmailsTexts } from './account-emails.ts'
import { addressTexts } from './address.ts'
import { authTexts } from './auth.ts'
import { buyingTexts } from './buying.ts'
import { cardsTexts } from './cards.ts'
import { controlsTexts } from './controls.ts'
import { dashboardTexts } from './dashboard.ts'
import { emailsTexts } from './emails.ts'
import { factorsTexts } from './factors.ts'
import { fieldsTexts } from './fields.ts'
import { formatsTexts } from './formats.ts'
import { giftTexts } from './gift.ts'
import { guestTexts } from './guest.ts'
import { homeTexts } from './home.ts'
import { legalTexts } from './legal.ts'
import { notFoundTexts } from './not-found.ts'
import { ownDataTexts } from './own-data.ts'
import { ownDataValuesTexts } from './own-data-values.ts'
import { outagesTexts } from './outages.ts'
import { previewTexts } from './preview.ts'
import { receiptTexts } from './receipt.ts'
import { refusalsTexts, responsesTexts } from './refusals.ts'
import { refundsTexts } from './refunds.ts'
import { setupTexts } from './setup.ts'
import { shippingTexts } from './shipping.ts'
import { siteTexts } from './site.ts'
import { statusesTexts } from './statuses.ts'
import { tellMeTexts } from './tell-me.ts'
import { withdrawTexts } from './withdraw.ts'

export const pagesTexts = {
  site: siteTexts,
  home: homeTexts,
  cards: cardsTexts,
  formats: formatsTexts,
  statuses: statusesTexts,
  buying: buyingTexts,
  gift: giftTexts,
  tellMe: tellMeTexts,
  guest: guestTexts,
  preview: previewTexts,
  auth: authTexts,
  dashboard: dashboardTexts,
  account: accountTexts,
  factors: factorsTexts,
  ownData: ownDataTexts,
  ownDataValues: ownDataValuesTexts,
  receipt: receiptTexts,
  address: addressTexts,
  refunds: refundsTexts,
  withdraw: withdrawTexts,
  shipping: shippingTexts,
  legal: legalTexts,
  notFound: notFoundTexts,
  controls: controlsTexts,
  fields: fieldsTexts,
  outages: outagesTexts,
  setup: setupTexts,
}

/** The browser gets them by the API only. */
export const apiTexts = { refusals: refusalsTexts, responses: responsesTexts }

export const mailsTexts = { emails: emailsTexts, accountEmails: accountEmailsTexts }
