// Where a discount code is entered. The form is loaded when it is opened, or when there is a code to enter already.
import { homeTexts } from '#words/home.ts'
import { useEffect, useState } from 'react'
import type { Product } from '#contract/catalog/products.ts'
import { failure } from '../../copy.ts'
import { toast } from '../../toasts.tsx'
import { DiscountButton } from './discount-button.tsx'
import { codesToEnter } from '../../discount.ts'
import type { DiscountPanel } from './discount-panel.tsx'

export function DiscountCode({ products }: { products: readonly Product[] }) {
  const [Panel, setPanel] = useState<typeof DiscountPanel>()
  const [isOpened, setIsOpened] = useState(false)
  useEffect(() => {
    if (codesToEnter().length > 0) void loadPanel().then((panel) => setPanel(() => panel))
  }, [])
  async function open() {
    setIsOpened(true)
    const panel = await loadPanel()
    setPanel(() => panel)
    setIsOpened(panel !== undefined)
  }
  if (Panel) return <Panel products={products} isOpened={isOpened} />
  return <DiscountButton isBusy={isOpened} onOpen={() => void open()} />
}

async function loadPanel() {
  try {
    return (await import('./discount-panel.tsx')).DiscountPanel
  } catch (error) {
    toast(failure(homeTexts.loadFailed, error))
    return undefined
  }
}
