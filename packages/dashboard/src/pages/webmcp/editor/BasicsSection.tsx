import { useEffect, useRef } from 'react';
import { TextArea, TextInput } from '../../../parts/TextInput.tsx';
import type { EditedTool } from '../model/editor.ts';
import { atPart, type PlacedProblem } from '../model/problems.ts';
import { ToolSection } from './ToolSection.tsx';

const MAX_NAME = 128;
const MAX_DESCRIPTION = 1024;

interface BasicsSectionProps {
  tool: EditedTool['tool'];
  fresh: boolean;
  problems: readonly PlacedProblem[];
  onTool: (tool: EditedTool['tool']) => void;
}

export function BasicsSection({ tool, fresh, problems, onTool }: BasicsSectionProps) {
  const { title, ...untitled } = tool;
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fresh) name.current?.select();
  }, [fresh]);
  return (
    <ToolSection title="Basics" about="Agents choose a tool by its name and description.">
      <div className="pair">
        <TextInput
          label="Name"
          ref={name}
          code
          required
          maxLength={MAX_NAME}
          placeholder="search_products"
          hint="What an agent calls. Letters, digits, _ - and a dot."
          value={tool.name}
          problem={atPart(problems, 'name')}
          onText={(text) => onTool({ ...tool, name: text })}
        />
        <TextInput
          label="Title"
          note="optional"
          maxLength={MAX_NAME}
          placeholder="Search products"
          hint="What a person reads before agreeing."
          value={title ?? ''}
          problem={atPart(problems, 'title')}
          onText={(text) => onTool(text === '' ? untitled : { ...untitled, title: text })}
        />
      </div>
      <TextArea
        label="Description"
        rows={3}
        maxLength={MAX_DESCRIPTION}
        note={<span className="number">{`${tool.description.length} / ${MAX_DESCRIPTION}`}</span>}
        placeholder="What it does, when to use it, what comes back, and what it leaves alone."
        value={tool.description}
        problem={atPart(problems, 'description')}
        onText={(description) => onTool({ ...tool, description })}
      />
    </ToolSection>
  );
}
