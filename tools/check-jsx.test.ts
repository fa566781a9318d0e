import { expect, test } from 'vitest'
import { findBareTexts } from './check-jsx.ts'

test('a text is found that an element can be put before, unless it has an element of its own', () => {
  const source = `const a = <p>{isBusy && <Spinner />}{authTexts.send}</p>
const b = <>{isNew ? <Mark /> : null} Written out</>
const c = <p>{isBusy && <Spinner />}{isBusy ? 'Sending' : fill(label)}</p>
const d = <p>{name}{isNew && ' (new)'}</p>
const e = <p>{isOpen ? <Link /> : authTexts.none}</p>
const fine = [<p>{isBusy && <Spinner />}<span>Send</span></p>, <p>{label}{isNew && <Mark />}</p>, <p>{text} more</p>]
const button = <Button>{isBusy && <Mark />}Send</Button>`
  expect(findBareTexts('a.tsx', source)).toEqual([1, 2, 3, 4, 5])
})

test('a component that is a text is found', () => {
  const source = `function Price() {
  if (isFree) return cardsTexts.free
  if (isNew) return null
  else return cardsTexts.soon
  return isNew ? formatMoney(price) : null
}
function Nothing() { return null }
function InElement() { return <span>{formatMoney(price)}</span> }
function words() { return cardsTexts.free }`
  expect(findBareTexts('a.tsx', source)).toEqual([2, 4, 5])
})
