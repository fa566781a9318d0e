// The list of the site’s pages.
import { auth } from './auth/auth.tsx'
import { again } from './posted-forms/resend-foreign-form.tsx'
import { buyPage } from './buy/buy-page.tsx'
import { excerpt } from './excerpt/excerpt.tsx'
import { findPurchase } from './find-purchase/find-purchase.tsx'
import { gift } from './gift/gift.tsx'
import { home, messageSent } from './home/home.tsx'
import { legalPages } from './legal/legal.tsx'
import { mailChoices } from './mail-choices/mail-choices.tsx'
import { letters } from './letters/letters.tsx'
import { notFound } from './not-found/not-found.tsx'
import { onward } from './posted-forms/redirect-page.tsx'
import { outcomePages } from './posted-forms/form-results.tsx'
import { preview } from './preview/preview.tsx'
import { purchasePages } from './purchase/purchase.tsx'
import { purchaseMoved } from './purchase-moved/purchase-moved.tsx'
import { refused } from './posted-forms/refused.tsx'
import { guestPurchaseWithoutScripts } from './purchase/guest-purchase-without-scripts.tsx'
import { refusedDownload } from './refused-download/refused-download.tsx'
import type { SitePage } from './site-page.ts'
import { tellMe } from './tell-me/tell-me.tsx'
import { withdrawalSteps } from './withdraw/steps.tsx'
import { withdraw } from './withdraw/withdraw.tsx'

export const sitePages: readonly SitePage[] = [
  home,
  messageSent,
  preview,
  auth,
  ...legalPages,
  ...purchasePages,
  findPurchase,
  withdraw,
  tellMe,
  letters,
  excerpt,
  gift,
  purchaseMoved,
  mailChoices,
  ...outcomePages,
  ...withdrawalSteps,
  buyPage,
  onward,
  guestPurchaseWithoutScripts,
  notFound,
  again,
  refused,
  refusedDownload,
]
