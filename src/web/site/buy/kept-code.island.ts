// The discount code that the home page keeps (enter-discount.ts), on the page that buys one product: plain code, which runs
// with the page. The server finds the price, so the code goes into the address; one that takes nothing off here is left out.
import { discountKey } from '../../page/page-state.ts'

const search = new URLSearchParams(location.search)
const kept = sessionStorage.getItem(discountKey)

function drop(): void {
  sessionStorage.removeItem(discountKey)
}

// The field was emptied.
if (search.get('code') === '') drop()
else if (kept && !search.has('code') && document.querySelector('[data-takes-code]')) {
  search.set('code', kept)
  search.set('kept', 'yes')
  location.replace(`?${search.toString()}${location.hash}`)
}

document.querySelector('[data-drops-code]')?.addEventListener('click', drop)
