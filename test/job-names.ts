// Prints the names of all jobs, a line each: Vitest's setup cannot load the shop's sources.
import { jobs } from '../src/jobs.ts'

for (const { name } of jobs) console.log(name)
