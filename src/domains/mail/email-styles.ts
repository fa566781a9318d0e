// Inline styles of all mails: mail programs ignore style sheets, except for the dark colors.
import type { Direction } from '#contract/direction.ts'

const serif = "Fraunces, Georgia, 'Times New Roman', serif"
const sans = "Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
const ink = '#1B2440'
const soft = '#55607A'
const line = '#E4DCCB'
const body = `font-family:${sans};font-size:16px;line-height:26px;color:${ink}`

export const styles = {
  page: 'background-color:#FAF6EE;margin:0;padding:0',
  margin: 'background-color:#FAF6EE;padding:32px 12px',
  hidden: 'display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0',
  sheet: `max-width:560px;background-color:#FFFFFF;border:1px solid ${line};border-radius:10px;padding:36px 32px 24px;word-break:break-word`,
  cover: 'display:block;border:0;border-radius:3px;margin:0 0 14px',
  brand: `font-family:${serif};font-size:15px;line-height:20px;margin:0 0 20px`,
  title: `font-family:${serif};font-size:28px;line-height:34px;font-weight:600;color:${ink};margin:0 0 16px`,
  paragraph: `${body};margin:0 0 16px`,
  quiet: `font-family:${sans};font-size:14px;line-height:22px;color:${soft};margin:0 0 12px`,
  code: `font-family:${sans};font-size:30px;line-height:38px;font-weight:600;letter-spacing:4px;color:${ink};margin:0 0 20px`,
  buttonTable: 'margin:8px 0 24px',
  button: `display:inline-block;max-width:100%;mso-padding-alt:0px;background-color:${ink};border-radius:10px;color:#FFFFFF;font-family:${sans};font-size:16px;line-height:100%;font-weight:600;padding:14px 24px;text-decoration:none`,
  buttonLabel:
    'display:inline-block;max-width:100%;line-height:120%;mso-padding-alt:0px;mso-text-raise:10.5px',
  facts: `${body};border-top:1px solid ${line};margin:0 0 20px`,
  factValue: 'padding:10px 0;font-weight:500',
  rule: `width:100%;border:none;border-top:1px solid ${line};margin:24px 0 16px`,
  footer: `font-family:${sans};font-size:13px;line-height:20px;color:${soft};margin:0`,
  link: `color:${soft};text-decoration:underline`,
}

/** Mail programs do not know the logical sides of CSS, so a style that names a side exists for both directions. */
export function quotationStyle(direction: Direction): string {
  const start = direction === 'rtl' ? 'right' : 'left'
  return `${body};border-${start}:3px solid #B8862F;padding-${start}:16px;margin:0 0 20px`
}

export function factNameStyle(direction: Direction): string {
  const padding = direction === 'rtl' ? '10px 0 10px 16px' : '10px 16px 10px 0'
  return `color:${soft};padding:${padding};vertical-align:top;width:120px`
}

export const darkStyles = (accent: string) => `@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: #12172A !important; }
  .sheet { background-color: #1A2138 !important; border-color: #2C3554 !important; }
  .ink { color: #EFE9DC !important; }
  .soft { color: #AEB6CC !important; }
  .brand { color: ${accent} !important; }
  .button { background-color: ${accent} !important; color: #12172A !important; }
  .rule, table { border-color: #2C3554 !important; }
}`
