// The look of the stand-in's pages: plain, and never to be taken for Stripe's.

export function layout(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${escape(title)} · Stand-in for Stripe</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 0 auto; max-width: 72rem; padding: 1rem }
  body > p:first-of-type { background: #ffd54a; color: #111; padding: .5rem 1rem; margin: 0 }
  fieldset { display: grid; gap: .75rem; max-width: 26rem; margin: 1rem 0; border: 1px solid #8888 }
  label { display: grid } input, select, button { font: inherit; padding: .4rem .6rem }
  table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .4rem; border-top: 1px solid #8888 }
  td { vertical-align: middle; overflow-wrap: anywhere } h1 { line-height: 1.2 }
  @media (max-width: 40rem) { table, tbody, tr, td { display: block } tr:first-child { display: none } td { border: 0; padding: .15rem 0 } tr { border-top: 1px solid #8888; padding: .6rem 0 } }
  form { display: inline-flex; flex-wrap: wrap; gap: .5rem } form.pay { display: block } form.pay > button { margin: 0 .5rem .5rem 0 }
</style>
<p><strong>Stand-in for Stripe.</strong> For trying out the shop: no money moves.</p>
<h1>${escape(title)}</h1>
${body}
`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Takes a currency with two decimals or none. */
export function formatMinor(amount: number, currency: string | null): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency ?? 'xxx' })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** maximumFractionDigits)
}
