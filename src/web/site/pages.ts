// The list of the site’s pages.
import { again } from './again.tsx'
import { buyPage } from './buy-page.tsx'
import { findPurchase } from './find-purchase/find-purchase.tsx'
import { gift } from './gift/gift.tsx'
import { home, messageSent } from './home/home.tsx'
import { legalPages } from './legal.tsx'
import { mailChoices } from './mail-choices/mail-choices.tsx'
import { notFound } from './not-found.tsx'
import { onward } from './onward.tsx'
import { outcomePages } from './outcomes.tsx'
import { preview } from './preview.tsx'
import { purchasePages } from './purchase/purchase.tsx'
import { purchaseMoved } from './purchase-moved/purchase-moved.tsx'
import { refused } from './refused.tsx'
import { returned } from './returned.tsx'
import type { SitePage } from './site-page.ts'
import { tellMe } from './tell-me/tell-me.tsx'
import { withdrawalSteps } from './withdraw/steps.tsx'
import { withdraw } from './withdraw/withdraw.tsx'

export const sitePages: readonly SitePage[] = [
  home,
  messageSent,
  preview,
  ...legalPages,
  ...purchasePages,
  findPurchase,
  withdraw,
  tellMe,
  gift,
  purchaseMoved,
  mailChoices,
  ...outcomePages,
  ...withdrawalSteps,
  buyPage,
  onward,
  returned,
  notFound,
  again,
  refused,
]
