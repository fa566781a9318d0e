import { useEffect, useState } from 'react'

/** `chapter` is the place in the list, `share` what has passed of all chapters, from 0 to 1. */
type Place = { chapter: number; share: number }

export function useReadingPlace(): Place {
  const [place, setPlace] = useState<Place>({ chapter: 0, share: 0 })
  useEffect(() => {
    const measure = () =>
      setPlace((before) => {
        const now = readPlace()
        return now.chapter === before.chapter && now.share === before.share ? before : now
      })
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [])
  return place
}

function readPlace(): Place {
  const boxes = [...document.querySelectorAll('main article')].map((article) =>
    article.getBoundingClientRect(),
  )
  const end = (boxes.at(-1)?.bottom ?? 0) + scrollY - innerHeight
  const share = end > 0 ? Math.min(scrollY / end, 1) : 1
  const chapter = boxes.findLastIndex(({ top }) => top < innerHeight / 2)
  // Whole percents: not every pixel draws the bar anew.
  return { chapter: Math.max(chapter, 0), share: Math.round(share * 100) / 100 }
}
