// The ways to read the files of a purchase, by device.
import { useState } from 'react'
import type { FileFormat } from '#contract/catalog/products.ts'
import type { PurchasedFile } from '#contract/orders/purchases.ts'
import { dashboardTexts } from '#words/dashboard.ts'

type Device = 'apple' | 'android' | 'kindle' | 'computer'

type Advice = { of: Device[]; device: string; text: string; link?: { label: string; href: string } }

export function readingAdvice(formats: readonly FileFormat[]): Advice[] {
  const { appleEpub, androidEpub, kindleEpub, computerEpub, phonePdf, kindlePdf, phoneMobi, kindleMobi } =
    dashboardTexts.devices
  const link = { label: dashboardTexts.sendToKindle, href: 'https://www.amazon.com/sendtokindle' }
  if (formats.includes('epub'))
    return [
      { of: ['apple'], ...appleEpub },
      { of: ['android'], ...androidEpub },
      { of: ['kindle'], ...kindleEpub, link },
      { of: ['computer'], ...computerEpub },
    ]
  if (formats.includes('pdf'))
    return [
      { of: ['apple', 'android'], ...phonePdf },
      { of: ['kindle'], ...kindlePdf, link },
    ]
  if (!formats.includes('mobi')) return []
  return [
    { of: ['apple', 'android'], ...phoneMobi },
    { of: ['kindle'], ...kindleMobi },
  ]
}

/** Guesses by what the browser says of itself; an iPad calls itself a Mac, which has no touch. */
export function deviceOf({
  userAgent,
  maxTouchPoints,
}: {
  userAgent: string
  maxTouchPoints: number
}): Device {
  if (/Kindle|Silk/.test(userAgent)) return 'kindle'
  if (/iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'apple'
  return userAgent.includes('Android') ? 'android' : 'computer'
}

/** The style of what is done with a purchase beside its download: all in one row. */
export const textAction =
  'inline-flex min-h-8! cursor-pointer items-center rounded-sm! border-0 px-0! py-0! text-sm font-normal! text-soft! underline underline-offset-4 hover:bg-transparent! hover:text-ink!'

type HowToReadProps = { files: readonly PurchasedFile[]; isFolded?: boolean }

/** Advises by device, that of this browser unfolded; shows nothing for what has no file. */
export function HowToRead({ files, isFolded = false }: HowToReadProps) {
  const [isOpen, setIsOpen] = useState(false)
  const advice = readingAdvice(files.map(({ file_format }) => file_format))
  if (advice.length === 0) return null
  return isFolded ? (
    <details className="open:w-full" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={textAction}>{dashboardTexts.howToRead}</summary>
      {isOpen && (
        <dl className="mt-3 grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
          {advice.map((each) => (
            <div key={each.device}>
              <dt className="font-semibold">{each.device}</dt>
              <dd className="mt-1 text-pretty text-soft">
                <AdviceText {...each} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  ) : (
    <div className="mt-6 border-t border-line pt-5">
      <h3 className="mb-2 font-semibold">{dashboardTexts.howToRead}</h3>
      {advice.map((each) => (
        <details key={each.device} open={isThis(each)} className="text-sm">
          <summary className="cursor-pointer rounded-sm py-1.5 font-semibold">{each.device}</summary>
          <p className="pb-2 text-pretty text-soft">
            <AdviceText {...each} />
          </p>
        </details>
      ))}
    </div>
  )
}

const isThis = ({ of }: Advice) => 'document' in globalThis && of.includes(deviceOf(navigator))

function AdviceText({ text, link }: Advice) {
  return (
    <>
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
    </>
  )
}
