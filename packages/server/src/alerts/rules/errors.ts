/** Answers to AI bots that are errors. */
import { count, percent, RELEASE, type Rule, report } from './rule.ts';

/** A share of fewer answers says nothing. */
const MIN_ANSWERS = 40;

export const botErrors: Rule = ({ usual, recent: { answers } }, threshold) => {
  const share = answers.answered > 0 ? answers.failed / answers.answered : 0;
  const limit = threshold / 100;
  const usually = usual.failingShare === null ? '' : ` Usual are ${percent(usual.failingShare)}.`;
  const worst = answers.worst === null ? '' : `, most of them to ${answers.worst}`;
  return {
    findings:
      answers.answered < MIN_ANSWERS || share < limit
        ? []
        : [
            {
              subject: '',
              title: `AI bots meet errors: ${percent(share)} of answers`,
              text: `${count(answers.failed)} of ${count(answers.answered)} answers to AI bots within three hours had a status of 400 or above${worst}.${usually}`,
              now: share,
              usual: usual.failingShare,
              unit: 'share',
              link: report('failures'),
            },
          ],
    isOver: () => (share < limit * RELEASE ? 'yes' : 'no'),
  };
};
