import { again } from './again.tsx'
import { buyPage } from './buy-page.tsx'
import { home } from './home/home.tsx'
import { legalPages } from './legal.tsx'
import { notFound } from './not-found.tsx'
import { onward } from './onward.tsx'
import { preview } from './preview.tsx'
import { returned } from './returned.tsx'
import type { SitePage } from './site-page.ts'

export const sitePages: readonly SitePage[] = [
  home,
  preview,
  ...legalPages,
  buyPage,
  onward,
  returned,
  notFound,
  again,
]
