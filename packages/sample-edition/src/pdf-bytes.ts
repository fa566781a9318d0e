// The plain bytes of Chromium's PDFs: where a chapter fell, and who is said to have made the file and when.

/** The page, counted from 1, to which links to `#anchor` lead. */
export function findPage(pdf: Buffer, anchor: string): number {
  const text = pdf.toString('latin1')
  const pages = [...text.matchAll(/^(\d+) 0 obj\n<<\/Type \/Page\n/gm)].map(([, id]) => id)
  const target = new RegExp(`/${anchor} \\[(\\d+) 0 R`).exec(text)?.[1]
  const index = pages.indexOf(target)
  if (index < 0) throw new Error(`The printed PDF has no page for #${anchor}.`)
  return index + 1
}

/** Takes out the browser's name and the hour, so that the same book gives the same bytes. */
export function signPdf(pdf: Buffer): Buffer {
  const text = pdf
    .toString('latin1')
    .replace(/\/Creator \((?:\\.|[^)])*\)/, (creator) => '/Creator (Lectern)'.padEnd(creator.length))
    .replace(/^\/(?:CreationDate|ModDate) \(D:[^)]*\)/gm, (date) => ' '.repeat(date.length))
  return Buffer.from(text, 'latin1')
}
