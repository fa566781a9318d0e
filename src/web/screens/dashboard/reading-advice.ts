import type { FileFormat } from '#contract/catalog/products.ts'
import { dashboardTexts } from '#words/dashboard.ts'

export type Advice = { device: string; text: string; link?: { label: string; href: string } }

export function readingAdvice(formats: readonly FileFormat[]): Advice[] {
  const { appleEpub, androidEpub, kindleEpub, phonePdf, kindlePdf, phoneMobi, kindleMobi } =
    dashboardTexts.devices
  const link = { label: dashboardTexts.sendToKindle, href: 'https://www.amazon.com/sendtokindle' }
  if (formats.includes('epub')) return [appleEpub, androidEpub, { ...kindleEpub, link }]
  if (formats.includes('pdf')) return [phonePdf, { ...kindlePdf, link }]
  return formats.includes('mobi') ? [phoneMobi, kindleMobi] : []
}
