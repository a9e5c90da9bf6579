/** Answers to AI bots that are errors. */
import { outOf, percent } from '../../common/index.ts';
import { RELEASE, type Rule, report } from './rule.ts';

/** A share of fewer answers says nothing. */
export const MIN_ANSWERS = 40;

export const botErrors: Rule = ({ usual, recent: { answers } }, threshold) => {
  const share = answers.answered > 0 ? answers.failed / answers.answered : 0;
  const limit = threshold / 100;
  const usually = usual.failingShare === null ? '' : ` Usually it is ${percent(usual.failingShare)}.`;
  const worst = answers.worst === null ? '' : `, most often to ${answers.worst}`;
  return {
    findings:
      answers.answered < MIN_ANSWERS || share < limit
        ? []
        : [
            {
              subject: '',
              title: `AI bots get errors: ${percent(share)} of answers`,
              text: `${outOf(answers.failed, answers.answered, ['answer', 'answers'])} to AI bots within three hours had a status of 400 or above${worst}.${usually}`,
              now: share,
              usual: usual.failingShare,
              unit: 'share',
              link: report('failures'),
            },
          ],
    isOver: () => (share < limit * RELEASE ? 'yes' : 'no'),
  };
};
