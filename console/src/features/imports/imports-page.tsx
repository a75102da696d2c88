import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { importsQuery } from './api';
import { ImportForm } from './import-form';
import { ImportList } from './import-list';
import { ImportReport } from './import-report';
import { ImportRunCard } from './import-run-card';

/** Imports from other gateways: source, choices, trial run, run, report, undo; root. */
export function ImportsPage() {
  const { t, i18n } = useTranslation();
  const { data, error, isError, refetch } = useQuery(importsQuery(i18n.resolvedLanguage ?? 'en'));
  /** Sections of settings that are taken; null = as the installation decides. */
  const [sections, setSections] = useState<ReadonlySet<string> | null>(null);
  return (
    <>
      <PageHeader title={t('imports.title')} explanation={t('imports.lead')} />
      {data !== undefined ? (
        <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 } }}>
          <ImportRunCard state={data} />
          {data.run?.report != null && (
            <ImportReport
              key={data.run.id}
              report={data.run.report}
              sections={sections}
              isEmpty={data.is_empty}
              onSections={data.run.kind === 'trial' ? setSections : undefined}
            />
          )}
          <ImportForm state={data} sections={sections} />
          <ImportList imports={data.imports} isRunning={data.run?.status === 'running'} />
        </Box>
      ) : isError ? (
        <Failed title={t('imports.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}
