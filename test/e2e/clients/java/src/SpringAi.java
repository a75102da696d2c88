import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.anthropic.api.AnthropicApi;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.document.MetadataMode;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.ai.openai.OpenAiEmbeddingOptions;
import org.springframework.ai.openai.api.OpenAiApi;
import org.springframework.ai.tool.ToolCallback;

/** Spring AI over its OpenAI and Anthropic packages. */
final class SpringAi {
    private static final int THINKING_BUDGET = 2_000;

    private static final SpringScenarios.Vendor OPEN_AI = new SpringScenarios.Vendor() {
        @Override
        public ChatModel model(Place place, String key) {
            var api = OpenAiApi.builder().baseUrl(place.url()).apiKey(key).build();
            var options = OpenAiChatOptions.builder().model(place.model()).streamUsage(true).build();
            return OpenAiChatModel.builder().openAiApi(api).defaultOptions(options).retryTemplate(SpringScenarios.ONCE).build();
        }

        @Override
        public ToolCallingChatOptions options(List<ToolCallback> tools, String schema) {
            var options = OpenAiChatOptions.builder().toolCallbacks(tools);
            if (schema != null) options.outputSchema(schema);
            return options.build();
        }
    };

    private static final SpringScenarios.Vendor ANTHROPIC = new SpringScenarios.Vendor() {
        @Override
        public ChatModel model(Place place, String key) {
            var api = AnthropicApi.builder().baseUrl(place.url()).apiKey(key).build();
            var options = AnthropicChatOptions.builder().model(place.model()).maxTokens(Place.CAP).build();
            return AnthropicChatModel.builder().anthropicApi(api).defaultOptions(options).retryTemplate(SpringScenarios.ONCE).build();
        }

        @Override
        public ToolCallingChatOptions options(List<ToolCallback> tools, String schema) {
            var options = AnthropicChatOptions.builder().toolCallbacks(tools);
            if (schema != null) options.outputSchema(schema);
            return options.build();
        }
    };

    static Map<String, Runner.Scenario> openAi(Place place) {
        var all = new SpringScenarios(OPEN_AI, place).common(place, "503");
        all.put("embeddings", () -> {
            var api = OpenAiApi.builder().baseUrl(place.url()).apiKey(place.key()).build();
            var options = OpenAiEmbeddingOptions.builder().model(place.model()).build();
            var vectors = new OpenAiEmbeddingModel(api, MetadataMode.EMBED, options, SpringScenarios.ONCE).embed(List.of("one", "two"));
            Place.same(vectors.stream().map(one -> one.length).toList(), List.of(3, 3), "vectors");
            return null;
        });
        return all;
    }

    static Map<String, Runner.Scenario> anthropic(Place place) {
        var own = new SpringScenarios(ANTHROPIC, place);
        var all = own.common(place, "529");
        all.put("reasoning", () -> {
            var options = AnthropicChatOptions.builder()
                    .thinking(AnthropicApi.ThinkingType.ENABLED, THINKING_BUDGET)
                    .build();
            var answer = own.ask(new Prompt(Place.question("reasoning"), options));
            var texts = answer.getResults().stream().map(one -> one.getOutput().getText()).toList();
            Place.holds(texts.contains(Place.ANSWER), "answer: " + texts);
            if (place.tellsThoughts())
                Place.holds(texts.stream().anyMatch(text -> Objects.equals(text, Place.THOUGHT)), "thought: " + texts);
            return SpringScenarios.usage(answer);
        });
        return all;
    }
}
