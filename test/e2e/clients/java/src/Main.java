import java.util.LinkedHashMap;
import java.util.Map;

/** The clients whose packages fit beside each other. */
final class Main {
    public static void main(String[] words) throws InterruptedException {
        Map<String, Runner.Client> clients = new LinkedHashMap<>();
        clients.put("openai-java (chat)", OpenAiChat::scenarios);
        clients.put("openai-java (Responses)", OpenAiResponses::scenarios);
        clients.put("anthropic-java", AnthropicMessages::scenarios);
        clients.put("google-genai", GoogleGenAi::scenarios);
        clients.put("langchain4j-open-ai", place -> LangChain.scenarios(LangChain.openAi(place)));
        clients.put("langchain4j-anthropic", place -> LangChain.scenarios(LangChain.anthropic(place)));
        clients.put("langchain4j-google-ai-gemini", place -> LangChain.scenarios(LangChain.google(place)));
        clients.put("spring-ai-openai", SpringAi::openAi);
        clients.put("spring-ai-anthropic", SpringAi::anthropic);
        Runner.run(clients);
    }
}
