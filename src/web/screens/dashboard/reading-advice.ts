import type { FileFormat } from '#features/products/contract/file-formats.ts'

export type Advice = { device: string; text: string; link?: { label: string; href: string } }

const sendToKindle = { label: 'Send to Kindle', href: 'https://www.amazon.com/sendtokindle' }

const kindle: Record<'epub' | 'pdf', string> = {
  epub: 'Download the EPUB and upload it at Send to Kindle, on Amazon’s site. It accepts EPUB and PDF; the EPUB adapts to the screen.',
  pdf: 'Download the PDF and upload it at Send to Kindle, on Amazon’s site. Its pages keep their size.',
}

/** Empty where the formats are not known. */
export function readingAdvice(formats: readonly FileFormat[]): Advice[] {
  if (formats.includes('epub')) {
    return [
      {
        device: 'iPhone and iPad',
        text: 'Tap the EPUB’s download button, then open the file from your downloads and choose Books.',
      },
      {
        device: 'Android phone and tablet',
        text: 'Tap the EPUB’s download button and open the file with a reading app, for example Google Play Books.',
      },
      { device: 'Kindle', text: kindle.epub, link: sendToKindle },
    ]
  }
  if (formats.includes('pdf')) {
    return [
      {
        device: 'Phone and tablet',
        text: 'Tap the PDF’s download button and open the file: no further app is needed to read it.',
      },
      { device: 'Kindle', text: kindle.pdf, link: sendToKindle },
    ]
  }
  if (formats.includes('mobi')) {
    return [
      {
        device: 'Phone and tablet',
        text: 'Download the MOBI file and open it with a reading app that knows this format.',
      },
      {
        device: 'Kindle',
        text: 'Download the MOBI file on a computer and copy it to the Kindle by USB cable. Send to Kindle does not accept MOBI.',
      },
    ]
  }
  return []
}
