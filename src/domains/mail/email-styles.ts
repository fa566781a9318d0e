// Inline styles of all mails, in the colors of the book: mail programs ignore style sheets, except for the dark colors.
import type { Palette } from '#contract/book/palettes.ts'
import type { Direction } from '#contract/direction.ts'

const serif = "Fraunces, Georgia, 'Times New Roman', serif"
const sans = "Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

/** Pairs for light and for dark. */
export type MailColors = Pick<Palette, 'page' | 'surface' | 'ink' | 'soft' | 'line' | 'gold' | 'gold_text'>

export type MailStyles = ReturnType<typeof mailStyles>

/** Mail programs do not know the logical sides of CSS, so a style that names a side exists for both directions. */
export function mailStyles(colors: MailColors, direction: Direction) {
  const [page, surface, ink, soft, line, gold, accent] = [
    colors.page[0],
    colors.surface[0],
    colors.ink[0],
    colors.soft[0],
    colors.line[0],
    colors.gold[0],
    colors.gold_text[0],
  ]
  const body = `font-family:${sans};font-size:16px;line-height:26px;color:${ink}`
  const row = `font-family:${sans};font-size:16px;line-height:22px`
  const start = direction === 'rtl' ? 'right' : 'left'
  const namePadding = direction === 'rtl' ? '5px 0 5px 16px' : '5px 16px 5px 0'
  return {
    page: `background-color:${page};margin:0;padding:0`,
    margin: `background-color:${page};padding:32px 12px`,
    hidden: 'display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0',
    sheet: `max-width:560px;background-color:${surface};border:1px solid ${line};border-radius:10px;padding:36px 32px 24px;word-break:break-word`,
    cover: 'display:block;border:0;border-radius:3px;margin:0 0 14px',
    brand: `font-family:${serif};font-size:15px;line-height:20px;margin:0 0 20px;color:${accent}`,
    title: `font-family:${serif};font-size:28px;line-height:34px;font-weight:600;color:${ink};margin:0 0 16px`,
    paragraph: `${body};margin:0 0 16px`,
    quiet: `font-family:${sans};font-size:14px;line-height:22px;color:${soft};margin:0 0 12px`,
    quotation: `${body};border-${start}:3px solid ${gold};padding-${start}:16px;margin:0 0 20px`,
    code: `font-family:${sans};font-size:30px;line-height:38px;font-weight:600;letter-spacing:4px;color:${ink};margin:0 0 20px`,
    buttonTable: 'margin:8px 0 24px',
    button: `display:inline-block;max-width:100%;mso-padding-alt:0px;background-color:${ink};border-radius:10px;color:#FFFFFF;font-family:${sans};font-size:16px;line-height:100%;font-weight:600;padding:14px 24px;text-decoration:none`,
    buttonLabel:
      'display:inline-block;max-width:100%;line-height:120%;mso-padding-alt:0px;mso-text-raise:10.5px',
    facts: `${body};border-top:1px solid ${line};padding-top:5px;margin:0 0 20px`,
    factName: `${row};color:${soft};padding:${namePadding};vertical-align:top;width:120px`,
    factValue: `${row};color:${ink};padding:5px 0;vertical-align:top;font-weight:500`,
    /** A sum, below a rule. */
    sumName: `${row};color:${soft};padding:${namePadding};vertical-align:top;width:120px;border-top:1px solid ${line}`,
    sumValue: `${row};color:${ink};padding:5px 0;vertical-align:top;font-weight:700;border-top:1px solid ${line}`,
    rule: `width:100%;border:none;border-top:1px solid ${line};margin:24px 0 16px`,
    footer: `font-family:${sans};font-size:13px;line-height:20px;color:${soft};margin:0`,
    link: `color:${soft};text-decoration:underline`,
  }
}

export const darkStyles = ({ page, surface, ink, soft, line, gold_text }: MailColors) =>
  `@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: ${page[1]} !important; }
  .sheet { background-color: ${surface[1]} !important; border-color: ${line[1]} !important; }
  .ink { color: ${ink[1]} !important; }
  .soft { color: ${soft[1]} !important; }
  .brand { color: ${gold_text[1]} !important; }
  .button { background-color: ${gold_text[1]} !important; color: ${page[1]} !important; }
  .rule, table, .sum { border-color: ${line[1]} !important; }
}`
