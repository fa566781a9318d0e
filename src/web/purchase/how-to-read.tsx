// The ways to read the files of a purchase, by device.
import { useState } from 'react'
import type { FileFormat } from '#contract/catalog/products.ts'
import type { PurchasedFile } from '#contract/orders/purchases.ts'
import { dashboardTexts } from '#words/dashboard.ts'

type Advice = { device: string; text: string; link?: { label: string; href: string } }

export function readingAdvice(formats: readonly FileFormat[]): Advice[] {
  const { appleEpub, androidEpub, kindleEpub, computerEpub, phonePdf, kindlePdf, phoneMobi, kindleMobi } =
    dashboardTexts.devices
  const link = { label: dashboardTexts.sendToKindle, href: 'https://www.amazon.com/sendtokindle' }
  if (formats.includes('epub')) return [appleEpub, androidEpub, { ...kindleEpub, link }, computerEpub]
  if (formats.includes('pdf')) return [phonePdf, { ...kindlePdf, link }]
  return formats.includes('mobi') ? [phoneMobi, kindleMobi] : []
}

/** The style of what is done with a purchase beside its download: all in one row. */
export const textAction =
  'inline-flex min-h-8! cursor-pointer items-center rounded-sm! border-0 px-0! py-0! text-sm font-normal! text-soft! underline underline-offset-4 hover:bg-transparent! hover:text-ink!'

type HowToReadProps = { files: readonly PurchasedFile[]; isFolded?: boolean }

/** Advises by device; shows nothing for what has no file. */
export function HowToRead({ files, isFolded = false }: HowToReadProps) {
  const [isOpen, setIsOpen] = useState(false)
  const advice = readingAdvice(files.map(({ file_format }) => file_format))
  if (advice.length === 0) return null
  const list = (
    <dl className="mt-3 grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
      {advice.map(({ device, text, link }) => (
        <div key={device}>
          <dt className="font-semibold">{device}</dt>
          <dd className="mt-1 text-pretty text-soft">
            {text}
            {link && (
              <>
                {' '}
                <a
                  href={link.href}
                  className="rounded-sm font-semibold whitespace-nowrap text-ink underline underline-offset-4"
                >
                  {link.label}
                </a>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
  return isFolded ? (
    <details className="open:w-full" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={textAction}>{dashboardTexts.howToRead}</summary>
      {isOpen && list}
    </details>
  ) : (
    <div className="mt-6 border-t border-line pt-5">
      <h3 className="font-semibold">{dashboardTexts.howToRead}</h3>
      {list}
    </div>
  )
}
