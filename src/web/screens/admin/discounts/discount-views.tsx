import { ViewLinks } from '../../../components/view-links.tsx'

export function DiscountViews({ isGifts = false }: { isGifts?: boolean }) {
  return (
    <div className="flex flex-wrap">
      <ViewLinks
        label="Discounts"
        views={[
          { to: '/admin/discounts', title: 'Codes', isCurrent: !isGifts },
          { to: '/admin/discounts/gifts', title: 'Free copies', isCurrent: isGifts },
        ]}
      />
    </div>
  )
}
