import { again } from './again.tsx'
import { home, messageSent } from './home/home.tsx'
import { legalPages } from './legal.tsx'
import { notFound } from './not-found.tsx'
import { preview } from './preview.tsx'
import type { SitePage } from './site-page.ts'

export const sitePages: readonly SitePage[] = [home, messageSent, preview, ...legalPages, notFound, again]
